import { expect, test } from 'vitest';
import { estimatedTime } from './database-time.ts';

const DATABASE_MS = 1_790_000_000_000;

function machine() {
  return {
    aheadMs: 0,
    passedMs: 0,
    reads: 0,
    isDown: false,
    wallMs() {
      return DATABASE_MS + this.passedMs + this.aheadMs;
    },
    monotonicMs() {
      return this.passedMs;
    },
    async read() {
      this.reads += 1;
      if (this.isDown) {
        throw new Error('down');
      }
      return DATABASE_MS + this.passedMs;
    },
  };
}

test('is the database’s, however wrong the machine’s clock is', async () => {
  const host = machine();
  host.aheadMs = -3_600_000;
  const now = estimatedTime(() => host.read(), host);
  expect(await now()).toBe(DATABASE_MS);
  host.passedMs = 30_000;
  expect(await now()).toBe(DATABASE_MS + 30_000);
  expect(host.reads).toBe(1);
});

test('is read again after a minute, without a call that waits', async () => {
  const host = machine();
  const now = estimatedTime(() => host.read(), host);
  await now();
  host.passedMs = 60_001;
  expect(await now()).toBe(DATABASE_MS + 60_001);
  expect(host.reads).toBe(2);
});

test('is read again at once when the machine’s clock was set', async () => {
  const host = machine();
  const now = estimatedTime(() => host.read(), host);
  await now();
  host.passedMs = 5_000;
  host.aheadMs = 3_600_000;
  expect(await now()).toBe(DATABASE_MS + 5_000);
  expect(host.reads).toBe(2);
});

test('is the machine’s while the database does not answer', async () => {
  const host = machine();
  host.isDown = true;
  host.aheadMs = 7;
  const now = estimatedTime(() => host.read(), host);
  expect([await now(), await now()]).toEqual([DATABASE_MS + 7, DATABASE_MS + 7]);
  expect(host.reads).toBe(1);
  host.isDown = false;
  host.passedMs = 5_000;
  expect(await now()).toBe(DATABASE_MS + 5_000);
});

test('does not wait for a database that hangs', async () => {
  const host = machine();
  const now = estimatedTime(() => new Promise<never>(() => undefined), host, 1);
  expect(await now()).toBe(DATABASE_MS);
});
