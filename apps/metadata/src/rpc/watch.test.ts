import type { WatchRequest } from '@penstock/metadata-protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Owner } from '../owners/owner.ts';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import { watch } from './watch.ts';

const CURRENT_FOR_MS = 3_000;

let fixture: ClusterFixture;
let owner: Owner;
let aborted: AbortController;

beforeEach(async () => {
  fixture = new ClusterFixture();
  owner = await fixture.open();
  aborted = new AbortController();
});
afterEach(() => aborted.abort());

/** Follows a stream. Returns, for each event, how long it keeps the stream's contents current. */
function follow(currentForMs?: number): (number | undefined)[] {
  const context = {
    owner,
    context: { signal: aborted.signal },
    clock: fixture.clock,
    accessEnd: async () => undefined,
    scope: 'agent' as const,
  };
  const events = watch({ ...context, ...(currentForMs !== undefined && { currentForMs }) }, {
    agentId: 'agent',
  } as WatchRequest);
  const seen: (number | undefined)[] = [];
  void (async () => {
    for await (const event of events) {
      seen.push(event.currentForMs);
    }
  })();
  return seen;
}

test('an idle stream confirms its owner three times per period', async () => {
  const seen = follow(CURRENT_FOR_MS);
  await fixture.clock.advance(50);
  expect(seen).toEqual([CURRENT_FOR_MS]);
  await fixture.clock.advance(CURRENT_FOR_MS);
  expect(seen).toEqual(Array(4).fill(CURRENT_FOR_MS));
});

test('an owner that doubts its lease keeps nothing current', async () => {
  const seen = follow(CURRENT_FOR_MS);
  await fixture.clock.advance(50);
  fixture.isLeaseValid = false;
  await fixture.clock.advance(CURRENT_FOR_MS);
  expect(seen).toEqual([CURRENT_FOR_MS, 0, 0, 0]);
});

test('without a validity period, an idle stream stays silent', async () => {
  const seen = follow();
  await fixture.clock.advance(10 * CURRENT_FOR_MS);
  expect(seen).toEqual([0]);
});

test('the first event tells agents the rules level', async () => {
  const context = {
    owner,
    context: { signal: aborted.signal },
    clock: fixture.clock,
    accessEnd: async () => undefined,
    scope: 'agent' as const,
  };
  const events = watch(context, { agentId: 'agent' } as WatchRequest);
  const first = events.next();
  await fixture.clock.advance(50);
  expect((await first).value).toMatchObject({ settings: { rulesLevel: owner.rules } });
});
