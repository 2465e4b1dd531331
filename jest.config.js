/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/__tests__/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
  // Only what is not checked in is invisible to jest's crawler: `lib/` repeats `src/`.
  modulePathIgnorePatterns: [
    '<rootDir>/lib/',
    '<rootDir>/dist/',
    '<rootDir>/clients/node_modules/',
    '<rootDir>/pictures/node_modules/',
  ],
  testTimeout: 60_000,
  // Each of these is a process that starts cold: more of them at once than cores only wait for each other.
  maxConcurrency: 3,
  // One process less than cores is jest's habit; the tests wait for processes and clocks more than they compute.
  maxWorkers: '100%',
};
