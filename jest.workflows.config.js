import base from './jest.config.js';

/** Workflow files under a workflow engine; apart from the other tests, because the engine must be installed first. */
/** @type {import('jest').Config} */
export default {
  ...base,
  testMatch: ['<rootDir>/__workflows__/**/*.test.ts'],
  testTimeout: 180_000,
  maxWorkers: 2,
};
