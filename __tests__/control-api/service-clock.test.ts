import { expect, test } from '@jest/globals';
import { ServiceClock } from '../../src/control-api/service-clock.ts';
import { FakeClock } from '../support/fake-clock.ts';

const WALL = Date.UTC(2026, 2, 1, 8);
const SERVICE = Date.UTC(2026, 2, 1, 9, 30);
const HEADER = new Date(SERVICE).toUTCString();

test('is the machine’s until the service tells its own', () => {
  expect(new ServiceClock(new FakeClock({ wall: WALL })).now()).toBe(WALL);
});

test('is the service’s, carried on by a clock that does not jump', async () => {
  const clock = new FakeClock({ wall: WALL });
  const service = new ServiceClock(clock);
  service.learn(HEADER);
  expect(service.now()).toBe(SERVICE);
  await clock.advance(60_000);
  clock.setWall(0);
  expect(service.now()).toBe(SERVICE + 60_000);
});

test('learns again from every answer', async () => {
  const clock = new FakeClock({ wall: WALL });
  const service = new ServiceClock(clock);
  service.learn(HEADER);
  await clock.advance(5000);
  service.learn(new Date(SERVICE + 7000).toUTCString());
  expect(service.now()).toBe(SERVICE + 7000);
});

test.each([undefined, '', 'soon', 'Sun, 99 Foo 2026', '5', '-1', 'gateway 7', '2026'])(
  'is not moved by the header %j, which is no HTTP date',
  (header) => {
    const service = new ServiceClock(new FakeClock({ wall: WALL }));
    service.learn(header);
    expect(service.now()).toBe(WALL);
    service.learn(HEADER);
    service.learn(header);
    expect(service.now()).toBe(SERVICE);
  },
);

test('is not moved by a header that is days off, whatever the machine believes', () => {
  const service = new ServiceClock(new FakeClock({ wall: WALL }));
  service.learn(new Date(0).toUTCString());
  service.learn(new Date(WALL + 3 * 86_400_000).toUTCString());
  expect(service.now()).toBe(WALL);
});
