import { connect } from 'node:net';
import { afterAll, expect, test } from '@jest/globals';
import { type Endpoint, endpoints } from '../../faults/endpoints.ts';
import { casesOf, judge, startBystander } from '../../faults/matrix.ts';

/** The whole matrix is `npm run test:faults`; here one fault of a few kinds for each endpoint. */
const FEW = [
  ['503', 'once'],
  ['body cut', 'always'],
  ['307 to another host', 'always'],
] as const;

const bystander = await startBystander();
afterAll(() => bystander.close());

test.concurrent.each(
  endpoints.map((endpoint) => [`${endpoint.mode}, ${endpoint.name}`, endpoint] as const),
)('%s ends as expected', async (_name, endpoint) => {
  const known = casesOf(endpoint, 1).map(({ fault, lasting }) => `${fault}, ${lasting}`);
  for (const [fault, lasting] of FEW) {
    expect(known).toContain(`${fault}, ${lasting}`);
    const { broken } = await judge({ endpoint, fault, lasting }, bystander);
    expect([fault, broken]).toEqual([fault, []]);
  }
});

const [some] = endpoints as readonly [Endpoint];
const once = { endpoint: some, fault: '503', lasting: 'once' } as const;

test('an ending that was not expected is noticed', async () => {
  const endpoint: Endpoint = { ...some, expect: () => ({ once: 'red', always: 'red' }) };
  const { broken } = await judge({ ...once, endpoint }, bystander);
  expect(broken).toEqual([expect.stringContaining('it is green')]);
});

test('too many requests, and an error that does not name the fault, are noticed', async () => {
  const endpoint: Endpoint = { ...some, mostRequests: 0 };
  const { broken } = await judge({ ...once, endpoint }, bystander);
  expect(broken).toEqual(['the endpoint was asked 1 times']);
});

test('a fault that is never met is noticed', async () => {
  const endpoint: Endpoint = { ...some, match: { path: '/nowhere' } };
  const { broken } = await judge({ ...once, endpoint }, bystander);
  expect(broken).toEqual(['the fault was never met']);
});

test('somebody who asks elsewhere is noticed', async () => {
  const { port } = bystander;
  const endpoint: Endpoint = {
    ...some,
    play: async (...given) => {
      const played = await some.play(...given);
      await new Promise((resolve) => connect(port, '127.0.0.1').once('close', resolve));
      return played;
    },
  };
  const { broken } = await judge({ ...once, endpoint }, bystander);
  expect(broken).toEqual(['somebody else was asked']);
});
