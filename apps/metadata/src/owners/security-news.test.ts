import type { AclBinding } from '@penstock/metadata-core';
import { beforeEach, expect, test } from 'vitest';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import { settle } from '../testing/manual-clock.ts';
import type { Owner } from './owner.ts';
import type { WatchStream } from './watch-stream.ts';

/** More than the time for which pushes are collected. */
const EVENT_MS = 10;
/** More than the shortest time between two events with a few ACLs. */
const PACE_MS = 110;

let fixture: ClusterFixture;
let owner: Owner;

beforeEach(async () => {
  fixture = new ClusterFixture();
  owner = await fixture.open();
});

function acl(resourceName: string): AclBinding {
  return {
    resourceType: 2,
    resourceName,
    patternType: 3,
    principal: 'User:alice',
    host: '*',
    operation: 3,
    permissionType: 3,
  };
}

const createAcls = (...names: string[]) => owner.submit({ kind: 'create-acls', bindings: names.map(acl) });

/** Follows a stream. Returns the names of the ACLs in each event. */
function follow(stream: WatchStream): string[][] {
  const seen: string[][] = [];
  void (async () => {
    for (let news = await stream.next(); news !== undefined; news = await stream.next()) {
      if (news.security !== undefined) {
        seen.push(news.security.acls.map(({ resourceName }) => resourceName));
      }
    }
  })();
  return seen;
}

test('a change reaches every stream within milliseconds', async () => {
  const seen = ['a', 'b'].map((agentId) => follow(owner.watches.open(agentId).stream));
  await createAcls('orders');
  await fixture.clock.advance(EVENT_MS);
  expect(seen).toEqual([[['orders']], [['orders']]]);
});

test('a change is sent only once it is durable', async () => {
  const seen = follow(owner.watches.open('agent').stream);
  await createAcls('orders');
  await fixture.clock.advance(PACE_MS);
  fixture.journal.hold();
  const change = createAcls('invoices');
  await fixture.clock.advance(PACE_MS);
  expect(seen).toEqual([['orders']]);
  fixture.journal.release();
  await change;
  await fixture.clock.advance(EVENT_MS);
  expect(seen).toEqual([['orders'], ['orders', 'invoices']]);
});

test('events are durable while another change is in flight', async () => {
  const seen = follow(owner.watches.open('agent').stream);
  const first = createAcls('orders');
  await settle();
  fixture.journal.hold();
  const second = createAcls('invoices');
  await first;
  await fixture.clock.advance(PACE_MS);
  expect(seen.flat()).not.toContain('invoices');
  fixture.journal.release();
  await second;
  await fixture.clock.advance(2 * PACE_MS);
  expect(seen.at(-1)).toEqual(['orders', 'invoices']);
});

test('close changes share an event that includes the last', async () => {
  const seen = follow(owner.watches.open('agent').stream);
  for (let number = 0; number < 50; number += 1) {
    await createAcls(`topic-${number}`);
  }
  await fixture.clock.advance(2 * PACE_MS);
  expect(seen.length).toBeLessThanOrEqual(2);
  expect(seen.at(-1)).toHaveLength(50);
});

test('large states are sent less often, but within two seconds', async () => {
  const seen = follow(owner.watches.open('agent').stream);
  await createAcls(...Array.from({ length: 10_000 }, (_, number) => `topic-${number}`));
  await fixture.clock.advance(EVENT_MS);
  await owner.submit({ kind: 'delete-acls', filters: [{ ...acl('topic-7') }] });
  await fixture.clock.advance(1_000);
  expect(seen.map(({ length }) => length)).toEqual([10_000]);
  await fixture.clock.advance(1_000);
  expect(seen.map(({ length }) => length)).toEqual([10_000, 9_999]);
});

test('an owner that doubts its lease sends nothing', async () => {
  const seen = follow(owner.watches.open('agent').stream);
  fixture.journal.hold();
  const change = createAcls('orders');
  await settle();
  fixture.isLeaseValid = false;
  fixture.journal.release();
  await change;
  await fixture.clock.advance(1_000);
  expect(seen).toEqual([]);
  fixture.isLeaseValid = true;
  await fixture.clock.advance(PACE_MS);
  expect(seen).toEqual([['orders']]);
});

test('a refused change sends nothing', async () => {
  const seen = follow(owner.watches.open('agent').stream);
  await createAcls('');
  await fixture.clock.advance(PACE_MS);
  expect(seen).toEqual([]);
});
