import { DAY_MS, MINUTE_MS } from '@penstock/units';
import { describe, expect, it } from 'vitest';
import { decodeSnapshot, encodeSnapshot } from '../codec/snapshot.ts';
import { DELETION_GRACE_MS, DELETION_LEASE_MS } from '../model/limits.ts';
import { fileId, START_MS, TestCluster } from '../testing/cluster.ts';
import { SAMPLE_COMMANDS } from '../testing/sample-commands.ts';

function atLevel2(): TestCluster {
  const cluster = new TestCluster();
  cluster.do({ kind: 'raise-rules-level', level: 2 });
  return cluster;
}

/** A cluster on which a clock a day ahead was in use, and whose time is right again. */
function thrownAhead(atWork: (cluster: TestCluster) => void): TestCluster {
  const cluster = atLevel2();
  const topic = cluster.topic(1, 1);
  cluster.commit([{ topic, batches: [{ records: 1 }] }]);
  cluster.nowMs += DAY_MS;
  atWork(cluster);
  const fromMs = cluster.nowMs;
  cluster.nowMs = START_MS + MINUTE_MS;
  cluster.do({ kind: 'set-clock-back', fromMs });
  return cluster;
}

describe('after a clock that was ahead', () => {
  it('files commit at once, and a retried commit still gets the same answer', () => {
    const file = fileId(900, START_MS + DAY_MS);
    let answered: unknown;
    const cluster = thrownAhead((ahead) => {
      answered = ahead.commit([{ topic: ahead.topic(2, 1), batches: [{ records: 3 }] }], file);
    });
    const topic = cluster.topic(3, 1);
    expect(cluster.commit([{ topic, batches: [{ records: 1 }] }]).errorCode).toBe(0);
    const again = [...cluster.state.topics.values()].find(({ name }) => name === 'topic-2');
    expect(cluster.commit([{ topic: again?.id ?? new Uint8Array(), batches: [{ records: 3 }] }], file)).toEqual(
      answered,
    );
  });

  it('ids are not refused because one from a day ahead may have been forgotten', () => {
    const cluster = thrownAhead((ahead) => {
      ahead.commit([{ topic: ahead.topic(2, 1), batches: [{ records: 1 }] }]);
      ahead.nowMs += 20 * MINUTE_MS;
      ahead.do({ kind: 'expire-retention' });
    });
    cluster.nowMs += 1;
    expect(cluster.commit([{ topic: cluster.topic(3, 1), batches: [{ records: 1 }] }]).errorCode).toBe(0);
  });

  it('minutes are counted again, each once', () => {
    const minute = (cluster: TestCluster): number => Math.floor(cluster.nowMs / MINUTE_MS);
    const mark = (cluster: TestCluster): boolean =>
      cluster.do({ kind: 'minute-mark', minute: minute(cluster), aliveAgentIds: ['a'] }).counted;
    const cluster = thrownAhead((ahead) => expect(mark(ahead)).toBe(true));
    expect(mark(cluster)).toBe(false);
    cluster.nowMs += MINUTE_MS;
    expect([mark(cluster), mark(cluster)]).toEqual([true, false]);
  });

  it('dead files are deleted after their grace period, leased ones after their lease', () => {
    const cluster = thrownAhead((ahead) => {
      ahead.do({ kind: 'delete-topics', names: ['topic-1'], topicIds: [] });
      ahead.nowMs += DELETION_GRACE_MS;
      expect(ahead.do({ kind: 'take-deletions', maxFiles: 10 }).fileIds).toHaveLength(1);
      ahead.commit([{ topic: ahead.topic(2, 1), batches: [{ records: 1 }] }]);
      ahead.do({ kind: 'delete-topics', names: ['topic-2'], topicIds: [] });
    });
    const take = (): number => cluster.do({ kind: 'take-deletions', maxFiles: 10 }).fileIds.length;
    expect(take()).toBe(0);
    cluster.nowMs += DELETION_GRACE_MS;
    expect(take()).toBe(1);
    cluster.nowMs += DELETION_LEASE_MS;
    expect(take()).toBe(2);
  });

  it('a group waiting for its first members keeps the rest of its wait, and its timer is updated', () => {
    const cluster = atLevel2();
    cluster.nowMs += DAY_MS;
    const join = { ...SAMPLE_COMMANDS['join-group'], requireKnownMemberId: false, initialRebalanceDelayMs: 3_000 };
    cluster.do(join);
    const fromMs = cluster.nowMs + 1_000;
    cluster.nowMs = START_MS;
    const { effects } = cluster.outcome({ kind: 'set-clock-back', fromMs });
    expect(effects.groups).toMatchObject([{ groupId: 'billing', deadlineMs: START_MS + 2_000 }]);
    cluster.nowMs += 2_000;
    expect(cluster.do({ kind: 'group-deadline', groupId: 'billing' }).fired).toBe(true);
  });

  it('a snapshot is the state', () => {
    const { state } = thrownAhead(() => undefined);
    const bytes = encodeSnapshot(state);
    expect(encodeSnapshot(decodeSnapshot(bytes))).toEqual(bytes);
  });
});

it('below rules level 2 it changes nothing', () => {
  const cluster = new TestCluster();
  cluster.nowMs = START_MS - DAY_MS;
  expect(cluster.outcome({ kind: 'set-clock-back', fromMs: START_MS }).changed).toBe(false);
});
