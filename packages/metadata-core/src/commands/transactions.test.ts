import { DAY_MS, MINUTE_MS } from '@penstock/units';
import { describe, expect, it } from 'vitest';
import { meterOf } from '../codec/entry-meter.ts';
import { decodeSnapshot, encodeSnapshot } from '../codec/snapshot.ts';
import { ErrorCode } from '../model/error-code.ts';
import { LAST_PRODUCER_EPOCH } from '../model/limits.ts';
import { listOffsets } from '../queries/list-offsets.ts';
import {
  describeProducers,
  describeTransactions,
  listTransactions,
  transactionalIdsAfter,
  verifyInTransaction,
} from '../queries/transactions.ts';
import { setProducer, type TransactionPlace } from '../state/transactions.ts';
import { commitOf, id, START_MS } from '../testing/cluster.ts';
import { brokenInvariants } from '../testing/invariants.ts';
import { SAMPLE_COMMANDS } from '../testing/sample-commands.ts';
import { TestProducer, TransactionalCluster } from '../testing/transactions.ts';
import { transactionDeadlineMs } from './expire-transactions.ts';

const codesOf = ({ batchErrorCode }: { batchErrorCode: Int32Array }): number[] => [...batchErrorCode];

describe('a transactional id', () => {
  it('gets a producer id, and the next epoch each time', () => {
    const cluster = new TransactionalCluster();
    const first = cluster.producer('t');
    const second = cluster.producer('t');
    expect([first.producerEpoch, second.producerEpoch]).toEqual([0, 1]);
    expect(second.producerId).toBe(first.producerId);
    expect(cluster.producer('other').producerId).not.toBe(first.producerId);
  });

  it.each([
    ['', 60_000, ErrorCode.INVALID_REQUEST],
    ['t'.repeat(1_025), 60_000, ErrorCode.INVALID_REQUEST],
    ['t', 0, ErrorCode.INVALID_TRANSACTION_TIMEOUT],
    ['t', 15 * MINUTE_MS + 1, ErrorCode.INVALID_TRANSACTION_TIMEOUT],
    ['t', 15 * MINUTE_MS, ErrorCode.NONE],
  ])('%#: is refused with a timeout or a name that Kafka refuses', (transactionalId, timeoutMs, errorCode) => {
    const cluster = new TransactionalCluster();
    const init = { ...SAMPLE_COMMANDS['init-transactional-producer'], transactionalId, timeoutMs };
    expect(cluster.do(init).errorCode).toBe(errorCode);
  });

  it('gets a new producer id when its epochs run out', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    const known = cluster.state.transactions.byId.get('t');
    expect(known).toBeDefined();
    if (known !== undefined) {
      setProducer(cluster.state.transactions, { ...known, producerEpoch: LAST_PRODUCER_EPOCH });
    }
    producer.producerEpoch = LAST_PRODUCER_EPOCH;
    const before = producer.producerId;
    producer.write();
    const lost = producer.endOutcome(true);
    expect(lost.answer).toEqual({ errorCode: 0, producerId: before + 1, producerEpoch: 0 });
    // The answer was lost: the repeated request comes from the exhausted producer.
    expect(producer.endOutcome(true).answer).toEqual(lost.answer);
    expect(cluster.log()).toBe('0+1 1C');
  });

  it('goes only to a holder that proves its epoch or retries', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    const had = producer.claim;
    expect(producer.init(had)).toBe(0);
    expect(producer.producerEpoch).toBe(1);
    // The answer was lost.
    expect(producer.init(had)).toBe(0);
    expect(producer.producerEpoch).toBe(1);
    const other = cluster.producer('t');
    expect(other.producerEpoch).toBe(2);
    expect(producer.twin().init(producer.claim)).toBe(ErrorCode.PRODUCER_FENCED);
    expect(producer.twin().init({ ...producer.claim, producerId: 99 })).toBe(ErrorCode.PRODUCER_FENCED);
  });

  it('expires after seven idle days unless a transaction is open', () => {
    const cluster = new TransactionalCluster();
    cluster.producer('idle');
    const open = cluster.producer('open');
    open.write();
    cluster.nowMs += 7 * DAY_MS;
    cluster.expire();
    expect([...cluster.state.transactions.byId.keys()]).toEqual(['open']);
    expect(open.write().batchErrorCode).toHaveLength(0);
  });
});

describe('an open transaction', () => {
  it('holds back the last stable offset until it commits', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    cluster.plain(0, 2);
    producer.write(0, 3);
    cluster.plain(0, 4);
    expect(cluster.stable()).toBe(2);
    expect(producer.end(true)).toBe(0);
    expect(cluster.log()).toBe('0+2 2+3 5+4 9C');
    expect(cluster.stable()).toBe(10);
    expect(cluster.aborted()).toEqual([]);
  });

  it('that aborts is listed for readers within its range', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    producer.write(0, 3);
    producer.end(false);
    cluster.plain(0, 2);
    const range = `${producer.producerId}:0-3`;
    expect(cluster.log()).toBe('0+3 3A 4+2');
    expect([cluster.aborted(0), cluster.aborted(3), cluster.aborted(4)]).toEqual([[range], [range], []]);
  });

  it('is held back in each partition by its oldest peer', () => {
    const cluster = new TransactionalCluster();
    const [first, second] = [cluster.producer('a'), cluster.producer('b')];
    first.write(0);
    second.write(0);
    second.write(1);
    second.end(true);
    expect([cluster.stable(0), cluster.stable(1)]).toEqual([0, 2]);
    first.end(false);
    expect(cluster.stable(0)).toBe(4);
    expect(cluster.aborted()).toEqual([`${first.producerId}:0-3`]);
  });

  it('leaves no marker where nothing was written', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    producer.add([0, 1]);
    producer.write(0, 1, false);
    const { effects } = producer.endOutcome(true);
    expect(effects.markers?.map(({ partition }) => partition)).toEqual([0]);
    expect([cluster.log(0), cluster.log(1)]).toEqual(['0+1 1C', '']);
  });

  it('publishes each marker with new bounds and meters none', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    producer.write(0, 2);
    const { effects } = producer.endOutcome(true);
    expect(effects.markers).toEqual([
      {
        topicId: id(1),
        partition: 0,
        logStartOffset: 0,
        highWatermark: 3,
        lastStableOffset: 3,
        baseOffset: 2,
        timestampMs: START_MS,
        firstOffset: 0,
        producerId: producer.producerId,
        producerEpoch: 1,
        isCommit: true,
      },
    ]);
    expect(meterOf([effects])).toEqual(meterOf([]));
  });

  it('tells watchers the stable offset after a commit', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    expect(cluster.plain(0).batchErrorCode).toHaveLength(0);
    producer.write(0);
    const runs = [0, 1].map((partition) => ({ partition, batches: [{ records: 1 }] }));
    const commit = cluster.outcome(commitOf(cluster.newFileId(), runs));
    expect(commit.effects.appended?.lastStableOffset?.slice(0, 2)).toEqual(Float64Array.of(1, -1));
  });
});

describe('a transactional batch', () => {
  it('needs its partition added unless writing adds it', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    expect(codesOf(producer.write(0, 1, false))).toEqual([ErrorCode.INVALID_TXN_STATE]);
    expect(producer.add([0])).toBe(0);
    expect(codesOf(producer.write(0, 1, false))).toEqual([]);
    expect(codesOf(producer.write(1, 1, false))).toEqual([ErrorCode.INVALID_TXN_STATE]);
    expect(codesOf(producer.write(1, 1, true))).toEqual([]);
  });

  it('is refused when it arrives after the end of its transaction', () => {
    const cluster = new TransactionalCluster();
    const [bumped, kept] = [cluster.producer('bumped'), cluster.producer('kept')];
    bumped.write(0);
    kept.add([0]);
    kept.write(0, 1, false);
    const late = bumped.twin();
    bumped.end(false);
    kept.end(false, false);
    expect(codesOf(late.write(0))).toEqual([ErrorCode.INVALID_PRODUCER_EPOCH]);
    expect(codesOf(kept.write(0, 1, false))).toEqual([ErrorCode.INVALID_TXN_STATE]);
    expect(cluster.log()).toBe('0+1 1+1 2A 3A');
  });

  it('is refused from a fenced producer through any agent', () => {
    const cluster = new TransactionalCluster();
    const zombie = cluster.producer('t');
    zombie.write(0);
    const next = cluster.producer('t');
    expect(cluster.log()).toBe('0+1 1A');
    expect(codesOf(zombie.write(0))).toEqual([ErrorCode.INVALID_PRODUCER_EPOCH]);
    expect(zombie.end(true)).toBe(ErrorCode.PRODUCER_FENCED);
    expect(codesOf(next.write(0))).toEqual([]);
  });

  it('is refused if another transactional id owns the producer', () => {
    const cluster = new TransactionalCluster();
    const [mine, theirs] = [cluster.producer('mine'), cluster.producer('theirs')];
    const thief = Object.assign(new TestProducer(cluster, 'mine'), {
      producerId: theirs.producerId,
      producerEpoch: theirs.producerEpoch,
    });
    expect(codesOf(thief.write())).toEqual([ErrorCode.INVALID_PRODUCER_ID_MAPPING]);
    expect(codesOf(mine.write())).toEqual([]);
  });

  it('committed before gets its offset even after the end', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    producer.add([0]);
    const batch = {
      records: 2,
      producer: [producer.producerId, 0, 0] as const,
      transaction: { transactionalId: 't', addsPartitions: false },
    };
    expect([...cluster.commit([{ batches: [batch] }]).batchBaseOffset]).toEqual([0]);
    producer.end(true, false);
    const again = cluster.commit([{ batches: [batch] }]);
    expect([...again.batchBaseOffset]).toEqual([0]);
    expect(cluster.log()).toBe('0+2 2C');
  });

  it('without a producer id is refused with its file', () => {
    const cluster = new TransactionalCluster();
    const transaction = { transactionalId: 't', addsPartitions: true };
    const batches = [
      { records: 1, producer: [1, 0, 0] as const },
      { records: 1, transaction },
    ];
    expect(cluster.commit([{ batches }])).toMatchObject({ errorCode: ErrorCode.INVALID_REQUEST });
  });

  // So that a batch in flight is not overtaken.
  it('starts with sequence 0 in a new epoch', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    producer.write(0);
    producer.end(true);
    const batch = {
      records: 1,
      producer: [producer.producerId, producer.producerEpoch, 1] as const,
      transaction: { transactionalId: 't', addsPartitions: true },
    };
    expect(codesOf(cluster.commit([{ batches: [batch] }]))).toEqual([ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER]);
    expect(cluster.stable()).toBe(2);
  });
});

describe('EndTransaction', () => {
  // Kafka's table: what a request with the present epoch, or one repeated with the epoch before, gets after each state.
  const N = ErrorCode.NONE;
  const S = ErrorCode.INVALID_TXN_STATE;
  const F = ErrorCode.PRODUCER_FENCED;
  it.each<[string, boolean | null, boolean, boolean, number]>([
    ['abort repeated after nothing', null, false, true, F],
    ['abort after nothing', null, false, false, N],
    ['commit repeated after nothing', null, true, true, F],
    ['commit after nothing', null, true, false, S],
    ['abort repeated after an abort', false, false, true, N],
    ['abort after an abort', false, false, false, N],
    ['commit repeated after an abort', false, true, true, S],
    ['commit after an abort', false, true, false, S],
    ['abort repeated after a commit', true, false, true, S],
    ['abort after a commit', true, false, false, N],
    ['commit repeated after a commit', true, true, true, N],
    ['commit after a commit', true, true, false, S],
  ])('with a bump of the epoch: %s', (_what, ended, isCommit, isRepeated, errorCode) => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    if (ended !== null) {
      producer.write();
      producer.end(ended);
    } else {
      producer.init();
    }
    const highest = producer.producerEpoch;
    if (isRepeated) {
      producer.producerEpoch -= 1;
    }
    const { answer, changed } = producer.endOutcome(isCommit);
    expect(answer.errorCode).toBe(errorCode);
    // A repeated request changes nothing; an abort without a transaction bumps the epoch.
    expect(changed).toBe(errorCode === N && !isRepeated);
    expect(answer.producerEpoch).toBe(errorCode !== N ? -1 : isRepeated ? highest : highest + 1);
  });

  it.each([
    [true, true, N],
    [true, false, S],
    [false, false, N],
    [false, true, S],
  ])('without a bump, repeats %s and refuses the other', (first, second, code) => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    producer.write();
    expect(producer.end(first, false)).toBe(0);
    expect(producer.producerEpoch).toBe(0);
    const again = producer.endOutcome(second, false);
    expect(again.answer.errorCode).toBe(code);
    expect(again.changed).toBe(false);
  });

  it('is refused for an unknown id, wrong producer or wrong epoch', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    producer.write();
    const end = { ...SAMPLE_COMMANDS['end-transaction'], ...producer.claim };
    const codeOf = (changes: object): number => cluster.do({ ...end, ...changes }).errorCode;
    expect(codeOf({ transactionalId: '' })).toBe(ErrorCode.INVALID_REQUEST);
    expect(codeOf({ transactionalId: 'x' })).toBe(ErrorCode.INVALID_PRODUCER_ID_MAPPING);
    expect(codeOf({ producerId: 77 })).toBe(ErrorCode.INVALID_PRODUCER_ID_MAPPING);
    expect(codeOf({ producerEpoch: 5 })).toBe(ErrorCode.PRODUCER_FENCED);
    expect(codeOf({ producerEpoch: 5, bumpsEpoch: false })).toBe(ErrorCode.PRODUCER_FENCED);
    expect(cluster.stable()).toBe(0);
  });
});

describe('offsets of a group', () => {
  it('become visible with the commit, together with the output', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    producer.write(1);
    expect(producer.commitOffset('g', 5)).toBe(0);
    expect([cluster.offsetOf('g'), cluster.offsetOf('g', true)]).toEqual([-1, 'error 88']);
    producer.end(true);
    expect([cluster.offsetOf('g'), cluster.offsetOf('g', true)]).toEqual([5, 5]);
  });

  it('are dropped with an abort', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    producer.commitOffset('g', 5);
    producer.end(true);
    producer.commitOffset('g', 9);
    producer.end(false);
    expect([cluster.offsetOf('g'), cluster.offsetOf('g', true)]).toEqual([5, 5]);
  });

  it('need their group added unless committing adds it', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    expect(producer.commitOffset('g', 5, false)).toBe(ErrorCode.INVALID_TXN_STATE);
    expect(producer.add([], ['g'])).toBe(0);
    expect(producer.commitOffset('g', 5, false)).toBe(0);
    expect(producer.commitOffset('h', 5, false)).toBe(ErrorCode.INVALID_TXN_STATE);
  });

  it('are refused from a fenced or finished producer', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    producer.commitOffset('g', 5);
    const late = producer.twin();
    producer.end(true);
    expect(late.commitOffset('g', 9)).toBe(ErrorCode.INVALID_PRODUCER_EPOCH);
    expect(cluster.offsetOf('g')).toBe(5);
  });

  it('are dropped with their topic or their group', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    producer.commitOffset('g', 5);
    producer.commitOffset('h', 6);
    cluster.do({
      kind: 'commit-offsets',
      groupId: 'h',
      generationId: -1,
      memberId: '',
      groupInstanceId: null,
      offsets: [{ topic: 'topic-1', partition: 0, offset: 1, leaderEpoch: -1, metadata: '' }],
    });
    cluster.do({ kind: 'delete-groups', groupIds: ['h'] });
    cluster.do({ kind: 'delete-topics', names: ['topic-1'], topicIds: [] });
    expect(brokenInvariants(cluster.state)).toEqual([]);
    cluster.topic(1, 1);
    producer.end(true);
    expect([cluster.offsetOf('g'), cluster.offsetOf('h')]).toEqual([-1, -1]);
  });
});

describe('AddToTransaction', () => {
  it('adds nothing when a partition does not exist', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    const partitions = [0, 9].map((partition) => ({ topicId: id(1), partition }));
    const outcome = cluster.outcome({ kind: 'add-to-transaction', ...producer.claim, partitions, groupIds: [] });
    expect(outcome.answer.partitionErrorCodes).toEqual([
      ErrorCode.OPERATION_NOT_ATTEMPTED,
      ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    ]);
    expect(outcome.changed).toBe(false);
  });

  it('verifies only: a missing partition makes it abortable', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    producer.add([0]);
    const partitions = [0, 1].map((partition) => ({ topicId: id(1), partition }));
    expect(verifyInTransaction(cluster.state, producer.claim, partitions)).toEqual({
      errorCode: 0,
      partitionErrorCodes: [ErrorCode.NONE, ErrorCode.TRANSACTION_ABORTABLE],
    });
  });

  it('a repeated request neither changes nor extends anything', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    producer.add([0]);
    const deadlineMs = transactionDeadlineMs(cluster.state);
    cluster.nowMs += 1_000;
    expect(producer.add([0])).toBe(0);
    expect(transactionDeadlineMs(cluster.state)).toBe(deadlineMs);
  });
});

describe('timeouts', () => {
  it('abort an overdue transaction and fence its producer', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    producer.write();
    expect(transactionDeadlineMs(cluster.state)).toBe(START_MS + 60_000);
    cluster.nowMs += 59_999;
    expect(cluster.outcome({ kind: 'expire-transactions' }).changed).toBe(false);
    cluster.nowMs += 1;
    expect(cluster.do({ kind: 'expire-transactions' }).aborted).toEqual(['t']);
    expect(cluster.log()).toBe('0+1 1A');
    expect(codesOf(producer.write())).toEqual([ErrorCode.INVALID_PRODUCER_EPOCH]);
    expect(producer.end(true, false)).toBe(ErrorCode.PRODUCER_FENCED);
    // As Apache Kafka answers a commit whose transaction it has aborted.
    expect(producer.end(true)).toBe(ErrorCode.INVALID_TXN_STATE);
    // It may not get the new epoch, which an answer to a repeated request has.
    expect(producer.end(false)).toBe(ErrorCode.PRODUCER_FENCED);
    expect(transactionDeadlineMs(cluster.state)).toBeNull();
  });

  it('count from the present time after a clock was ahead', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    cluster.nowMs += DAY_MS;
    producer.write();
    cluster.nowMs -= DAY_MS;
    cluster.do({ kind: 'set-clock-back', fromMs: cluster.nowMs + DAY_MS });
    expect(transactionDeadlineMs(cluster.state)).toBe(cluster.nowMs + 60_000);
  });

  it('expire a hundred at a time, in an order snapshots keep', () => {
    const cluster = new TransactionalCluster();
    for (let at = 0; at < 120; at += 1) {
      cluster.producer(`t${at}`).write();
    }
    // Reopened: it comes last in the order in which transactions were opened, but not in that of ids.
    const first = cluster.producer('t0');
    first.write();
    cluster.nowMs += 60_000;
    const copy = new TransactionalCluster();
    copy.state = decodeSnapshot(encodeSnapshot(cluster.state));
    copy.nowMs = cluster.nowMs;
    expect(cluster.do({ kind: 'expire-transactions' }).aborted).toHaveLength(100);
    copy.do({ kind: 'expire-transactions' });
    expect(encodeSnapshot(copy.state)).toEqual(encodeSnapshot(cluster.state));
    expect(cluster.do({ kind: 'expire-transactions' }).aborted).toHaveLength(20);
  });
});

describe('an operator', () => {
  it('sees the longest open transaction first, from any place on', () => {
    const cluster = new TransactionalCluster();
    const producers = ['d', 'b', 'a', 'c'].map((id) => cluster.producer(id));
    const [d, b, a] = producers;
    const listed = (state = cluster.state, after: TransactionPlace | null = null) => [
      ...transactionalIdsAfter(state, after),
    ];
    expect(listed()).toEqual(['a', 'b', 'c', 'd']);
    d?.write();
    cluster.nowMs += DAY_MS;
    a?.write();
    b?.write();
    expect(listed()).toEqual(['d', 'a', 'b', 'c']);
    expect(listed(decodeSnapshot(encodeSnapshot(cluster.state)))).toEqual(listed());
    expect(listed(cluster.state, { transactionalId: 'a', startedAtMs: cluster.nowMs })).toEqual(['b', 'c']);
    expect(listed(cluster.state, { transactionalId: 'aa', startedAtMs: null })).toEqual(['c']);
    a?.end(true);
    expect(listed()).toEqual(['d', 'b', 'a', 'c']);
    cluster.nowMs -= 2 * DAY_MS;
    cluster.do({ kind: 'set-clock-back', fromMs: cluster.nowMs + 2 * DAY_MS });
    expect(listed()).toEqual(['b', 'd', 'a', 'c']);
    expect(brokenInvariants(cluster.state)).toEqual([]);
  });

  it('sees open transactions and their producers', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    cluster.producer('idle');
    producer.write(2);
    producer.commitOffset('g', 1);
    cluster.nowMs += 5_000;
    const everything = { states: new Set<string>(), producerIds: new Set<number>(), minDurationMs: -1 };
    const list = (filter: object) =>
      listTransactions(cluster.state, { ...everything, ...filter }, cluster.nowMs).map(
        (found) => found.transactionalId,
      );
    expect(list({})).toEqual(['t', 'idle']);
    expect(list({ states: new Set(['Ongoing']) })).toEqual(['t']);
    expect(list({ producerIds: new Set([producer.producerId]) })).toEqual(['t']);
    expect([list({ minDurationMs: 4_999 }), list({ minDurationMs: 5_000 })]).toEqual([['t'], []]);
    const [described, unknown] = describeTransactions(cluster.state, ['t', 'x']);
    expect(described).toMatchObject({
      state: 'Ongoing',
      startedAtMs: START_MS,
      partitions: [{ topicId: id(1), partition: 2 }],
      groupIds: ['g'],
      clientId: 'client',
      agentId: 'agent-1',
    });
    expect(unknown?.errorCode).toBe(ErrorCode.TRANSACTIONAL_ID_NOT_FOUND);
    const [producers] = describeProducers(cluster.state, [{ topicId: id(1), partition: 2 }]);
    expect(producers?.producers).toEqual([
      {
        producerId: producer.producerId,
        producerEpoch: 0,
        lastSequence: 0,
        lastTimestampMs: START_MS,
        transactionStartOffset: 0,
      },
    ]);
  });

  it('aborts an open transaction by its id or its producer, once', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    producer.write();
    const abort = { kind: 'abort-transaction', transactionalId: '', producerId: producer.producerId } as const;
    expect(cluster.do({ ...abort, producerId: 99 }).errorCode).toBe(ErrorCode.TRANSACTIONAL_ID_NOT_FOUND);
    expect(cluster.do(abort).errorCode).toBe(0);
    expect(cluster.do({ ...abort, transactionalId: 't' }).errorCode).toBe(ErrorCode.INVALID_TXN_STATE);
    expect(codesOf(producer.write())).toEqual([ErrorCode.INVALID_PRODUCER_EPOCH]);
  });
});

describe('markers', () => {
  it('survive truncation and snapshots, then go with their records', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    producer.write(0, 3);
    producer.end(false);
    cluster.plain(0, 2);
    const truncate = (beforeOffset: number): void => {
      cluster.do({ kind: 'delete-records', partitions: [{ topicId: id(1), partition: 0, beforeOffset }] });
      cluster.state = decodeSnapshot(encodeSnapshot(cluster.state));
      expect(brokenInvariants(cluster.state)).toEqual([]);
    };
    const range = `${producer.producerId}:0-3`;
    truncate(2);
    expect([cluster.log(), cluster.aborted(2)]).toEqual(['0+3 3A 4+2', [range]]);
    truncate(3);
    expect([cluster.log(), cluster.aborted(3)]).toEqual(['3A 4+2', [range]]);
    truncate(4);
    expect([cluster.log(), cluster.aborted(4)]).toEqual(['4+2', []]);
    expect(cluster.state.transactions.counts.aborted).toBe(0);
  });

  it('expire with the age of their transaction’s end', () => {
    const cluster = new TransactionalCluster({ 'retention.ms': '1000' });
    const producer = cluster.producer('t');
    producer.write(0);
    cluster.nowMs += 900;
    producer.end(true);
    cluster.nowMs += 200;
    cluster.expire();
    expect(cluster.log()).toBe('1C');
    cluster.nowMs += 900;
    cluster.expire();
    expect([cluster.log(), cluster.stable()]).toEqual(['', 2]);
    expect(brokenInvariants(cluster.state)).toEqual([]);
  });

  it('are never found by their timestamp', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    cluster.commit([{ batches: [{ records: 1, timestampMs: 10 }] }]);
    producer.write(0);
    cluster.nowMs += 5_000;
    producer.end(true);
    cluster.commit([{ batches: [{ records: 1, timestampMs: 20 }] }]);
    const query = (timestampMs: number) =>
      listOffsets(cluster.state, [{ topicId: id(1), partition: 0, timestampMs, fromOffset: 0 }])[0];
    expect(query(-3)).toMatchObject({ offset: 1, timestampMs: START_MS });
    expect(query(START_MS + 1)).toMatchObject({ offset: -1 });
    cluster.state = decodeSnapshot(encodeSnapshot(cluster.state));
    expect(query(-3)).toMatchObject({ offset: 1, timestampMs: START_MS });
    expect(query(START_MS + 1)).toMatchObject({ offset: -1 });
  });

  it('fit into a row with 48-bit producer ids', () => {
    const cluster = new TransactionalCluster();
    cluster.state.nextProducerId = 2 ** 48 - 1;
    const producer = cluster.producer('t');
    producer.write(0);
    const marker = { producerId: 2 ** 48 - 1, producerEpoch: 1, isCommit: false };
    producer.end(false);
    expect(cluster.partition().runs?.marker(1)).toEqual(marker);
    expect(decodeSnapshot(encodeSnapshot(cluster.state)).topics.size).toBe(1);
  });
});

describe('ListOffsets at read_committed', () => {
  it('ends at the last stable offset', () => {
    const cluster = new TransactionalCluster();
    cluster.commit([{ batches: [{ records: 2, timestampMs: 10 }] }]);
    cluster.producer('t').write(0);
    const query = (timestampMs: number, isReadCommitted: boolean) =>
      listOffsets(cluster.state, [{ topicId: id(1), partition: 0, timestampMs, fromOffset: 0, isReadCommitted }])[0]
        ?.offset;
    expect([query(-1, false), query(-1, true)]).toEqual([3, 2]);
    expect([query(START_MS, false), query(START_MS, true)]).toEqual([2, -1]);
  });
});

describe('a producer with an open transaction', () => {
  it('survives in its partitions, so that gaps stay refused', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    producer.write(0);
    const idle = cluster.producer('idle');
    idle.write(1);
    idle.end(true);
    cluster.nowMs += 2 * DAY_MS;
    cluster.expire();
    expect(cluster.partition(0).producers?.size).toBe(1);
    expect(cluster.partition(1).producers).toBeNull();
  });
});

describe('truncation of an open transaction', () => {
  it('keeps its last stable offset and end within the log', () => {
    const cluster = new TransactionalCluster();
    const producer = cluster.producer('t');
    producer.write(0, 3);
    cluster.do({ kind: 'delete-records', partitions: [{ topicId: id(1), partition: 0, beforeOffset: -1 }] });
    expect(cluster.stable()).toBe(3);
    producer.end(false);
    expect([cluster.log(), cluster.stable()]).toEqual(['3A', 4]);
    expect(brokenInvariants(cluster.state)).toEqual([]);
  });

  it('deleting a topic removes its part of the transaction', () => {
    const cluster = new TransactionalCluster();
    cluster.topic(2, 1);
    const producer = cluster.producer('t');
    producer.write(0);
    producer.write(0, 1, true, id(2));
    cluster.do({ kind: 'delete-topics', names: [], topicIds: [id(1)] });
    const { effects } = producer.endOutcome(true);
    expect(effects.markers?.map(({ topicId }) => topicId)).toEqual([id(2)]);
    expect(brokenInvariants(cluster.state)).toEqual([]);
  });
});
