import { once } from 'node:events';
import { createLogger } from '@penstock/platform';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setUpControlPlane } from '../testing/control-plane.ts';
import { createNotifications, type Notifications } from './notifications.ts';

const plane = setUpControlPlane();
let notifications: Notifications;

beforeEach(() => {
  notifications = createNotifications(plane.databaseUrl, createLogger({ name: 'test', level: 'silent' }));
});
afterEach(() => notifications.close());

/** Listens on a channel and reports connects and payloads as events. */
function listen(channel: string, onConnect: () => void = () => undefined) {
  const events = new EventTarget();
  notifications.listen(channel, {
    onNotification: (payload) => void events.dispatchEvent(new CustomEvent('payload', { detail: payload })),
    onConnect: () => {
      onConnect();
      events.dispatchEvent(new Event('connect'));
    },
  });
  return {
    connected: () => once(events, 'connect'),
    payload: async () => ((await once(events, 'payload')) as [CustomEvent<string>])[0].detail,
  };
}

const send = (channel: string, payload: string) => plane.database.$executeRaw`SELECT pg_notify(${channel}, ${payload})`;

test('channels share one connection, even later ones', async () => {
  const first = listen('test_first');
  await first.connected();
  const second = listen('test_second');
  await second.connected();
  const payloads = Promise.all([first.payload(), second.payload()]);
  await send('test_second', 'b');
  await send('test_first', 'a');
  expect(await payloads).toEqual(['a', 'b']);
  const connections = await plane.database.$queryRaw<unknown[]>`
    SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN "test_%'`;
  expect(connections).toHaveLength(1);
});

test('reconnects a listener whose check for misses failed', async () => {
  let failures = 0;
  const listener = listen('test_third', () => {
    if (failures === 0) {
      failures += 1;
      throw new Error('not now');
    }
  });
  await listener.connected();
  const payload = listener.payload();
  await send('test_third', 'c');
  expect([failures, await payload]).toEqual([1, 'c']);
});
