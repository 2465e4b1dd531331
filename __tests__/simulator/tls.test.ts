import { once } from 'node:events';
import { Agent, get } from 'node:https';
import { expect, test } from '@jest/globals';
import { certificate } from './certificate.ts';
import { simulate } from './support.ts';

test('speaks https to those who trust its certificate', async () => {
  const simulator = await simulate({ tls: certificate });
  expect(simulator.baseUrl).toMatch(/^https:/);
  const headers = { authorization: `Bearer ${simulator.apiKey}` };
  const agent = new Agent({ ca: certificate.cert });
  const [answer] = await once(get(`${simulator.baseUrl}/api_keys`, { headers, agent }), 'response');
  answer.resume();
  expect(answer.statusCode).toBe(200);

  simulator.faults.add({ fault: { kind: 'act-then-cut' } });
  const cut = get(`${simulator.baseUrl}/api_keys`, { headers, agent: new Agent(agent.options) });
  await expect(once(cut, 'response')).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('and is refused by others', async () => {
  const simulator = await simulate({ tls: certificate });
  await expect(once(get(`${simulator.baseUrl}/api_keys`), 'response')).rejects.toMatchObject({
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  });
  expect(simulator.requests).toEqual([]);
});
