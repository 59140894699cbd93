import { DAY_MS, MINUTE_MS } from '@penstock/units';
import { describe, expect, it } from 'vitest';
import { decodeSnapshot, encodeSnapshot } from '../codec/snapshot.ts';
import { DELETION_GRACE_MS, DELETION_LEASE_MS } from '../model/limits.ts';
import { fileId, START_MS, TestCluster } from '../testing/cluster.ts';
import { SAMPLE_COMMANDS } from '../testing/sample-commands.ts';

/** A cluster on which a clock a day ahead was in use, and whose time is right again. */
function thrownAhead(atWork: (cluster: TestCluster) => void): TestCluster {
  const cluster = new TestCluster();
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
  it('commits files at once and repeats answers to retries', () => {
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

  it('accepts ids although one from a day ahead is forgotten', () => {
    const cluster = thrownAhead((ahead) => {
      ahead.commit([{ topic: ahead.topic(2, 1), batches: [{ records: 1 }] }]);
      ahead.nowMs += 20 * MINUTE_MS;
      ahead.expire();
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

  it('deletes dead files after their grace period or lease', () => {
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

  it('resumes the initial delay of a group with a new timer', () => {
    const cluster = new TestCluster();
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
