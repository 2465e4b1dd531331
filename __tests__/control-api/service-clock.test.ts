import { expect, test } from '@jest/globals';
import { ServiceClock } from '../../src/control-api/service-clock.ts';
import { FakeClock } from '../support/fake-clock.ts';

const WALL = Date.UTC(2026, 2, 1, 8);
const SERVICE = Date.UTC(2026, 2, 1, 9, 30);
const DAY = 86_400_000;
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

test('is the service’s also where the machine’s is wrong by days', () => {
  for (const off of [-400, -2, 2, 400]) {
    const service = new ServiceClock(new FakeClock({ wall: SERVICE + off * DAY }));
    service.learn(HEADER);
    expect(service.now()).toBe(SERVICE);
  }
});

test.each([0, Date.UTC(2023, 11, 31), Date.UTC(2106, 1, 7)])(
  'is not moved by a header of another age: %d',
  (date) => {
    const service = new ServiceClock(new FakeClock({ wall: WALL }));
    service.learn(new Date(date).toUTCString());
    expect(service.now()).toBe(WALL);
  },
);

test('is never earlier than what the service has reported', async () => {
  const clock = new FakeClock({ wall: WALL - 400 * DAY });
  const service = new ServiceClock(clock);
  service.saw(WALL);
  service.saw(WALL - DAY);
  service.saw(Number.NaN);
  await clock.advance(1000);
  expect(service.now()).toBe(WALL + 1000);
  // A cached answer carries an old header.
  service.learn(new Date(WALL - 3_600_000).toUTCString());
  expect(service.now()).toBe(WALL + 1000);
  service.learn(new Date(WALL + 60_000).toUTCString());
  expect(service.now()).toBe(WALL + 60_000);
});

test('is not moved by one record that is far ahead of the service’s own header', () => {
  const service = new ServiceClock(new FakeClock({ wall: WALL }));
  service.learn(HEADER);
  service.saw(SERVICE + 2 * DAY);
  expect(service.now()).toBe(SERVICE);
  service.saw(SERVICE + 5000);
  expect(service.now()).toBe(SERVICE + 5000);
});
