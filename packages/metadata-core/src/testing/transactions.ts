// For tests: a cluster with transactions, and short helpers for producers.
import type { CommitFileAnswer } from '../model/data.types.ts';
import { type Id, idKey } from '../model/ids.ts';
import type { Outcome } from '../model/outcome.ts';
import type { EndTransaction } from '../model/transactions.types.ts';
import { fetchOffsets } from '../queries/groups.ts';
import { locate } from '../queries/locate.ts';
import type { Partition } from '../state/partition.types.ts';
import { lastStableOffset } from '../state/partition-transactions.ts';
import { id, TestCluster, type TestRun } from './cluster.ts';

/** The state of a client with a transactional id. It does not learn by itself that it is fenced. */
export class TestProducer {
  producerId = -1;
  producerEpoch = -1;
  readonly transactionalId: string;
  readonly #cluster: TransactionalCluster;
  readonly #sequences = new Map<string, number>();

  constructor(cluster: TransactionalCluster, transactionalId: string) {
    this.#cluster = cluster;
    this.transactionalId = transactionalId;
  }

  /** Another client with the same state, as an instance that was cut off. */
  twin(): TestProducer {
    return Object.assign(new TestProducer(this.#cluster, this.transactionalId), this.claim);
  }

  get claim() {
    const { transactionalId, producerId, producerEpoch } = this;
    return { transactionalId, producerId, producerEpoch };
  }

  init(expected: { producerId: number; producerEpoch: number } = { producerId: -1, producerEpoch: -1 }): number {
    const answer = this.#cluster.do({
      kind: 'init-transactional-producer',
      transactionalId: this.transactionalId,
      ...expected,
      timeoutMs: 60_000,
      clientId: 'client',
      agentId: 'agent-1',
    });
    if (answer.errorCode === 0) {
      this.#continueWith(answer);
    }
    return answer.errorCode;
  }

  /** @param addsPartitions as Produce v12 does */
  write(partition = 0, records = 1, addsPartitions = true, topic: Id = id(1)): CommitFileAnswer {
    const place = `${idKey(topic)}-${partition}`;
    const sequence = this.#sequences.get(place) ?? 0;
    const transaction = { transactionalId: this.transactionalId, addsPartitions };
    const batch = { records, producer: [this.producerId, this.producerEpoch, sequence] as const, transaction };
    const answer = this.#cluster.commit([{ topic, partition, batches: [batch] }]);
    if ((answer.batchErrorCode[0] ?? 0) === 0) {
      this.#sequences.set(place, sequence + records);
    }
    return answer;
  }

  add(partitions: readonly number[], groupIds: string[] = []): number {
    const added = partitions.map((partition) => ({ topicId: id(1), partition }));
    return this.#cluster.do({ kind: 'add-to-transaction', ...this.claim, partitions: added, groupIds }).errorCode;
  }

  commitOffset(groupId: string, offset: number, addsGroup = true): number {
    return this.#cluster.do({
      kind: 'commit-transaction-offsets',
      ...this.claim,
      addsGroup,
      groupId,
      generationId: -1,
      memberId: '',
      groupInstanceId: null,
      offsets: [{ topic: 'topic-1', partition: 0, offset, leaderEpoch: -1, metadata: '' }],
    }).errorCode;
  }

  end(isCommit: boolean, bumpsEpoch = true): number {
    const { answer } = this.endOutcome(isCommit, bumpsEpoch);
    if (answer.errorCode === 0) {
      this.#continueWith(answer);
    }
    return answer.errorCode;
  }

  /** Sends the request, but does not hear the answer. */
  endOutcome(isCommit: boolean, bumpsEpoch = true): Outcome<'end-transaction'> {
    const command: EndTransaction = { kind: 'end-transaction', ...this.claim, isCommit, bumpsEpoch };
    return this.#cluster.outcome(command);
  }

  #continueWith({ producerId, producerEpoch }: { producerId: number; producerEpoch: number }): void {
    if (producerId !== this.producerId || producerEpoch !== this.producerEpoch) {
      this.#sequences.clear();
    }
    this.producerId = producerId;
    this.producerEpoch = producerEpoch;
  }
}

/** One topic `topic-1` with three partitions. */
export class TransactionalCluster extends TestCluster {
  constructor(configs: Record<string, string> = {}) {
    super();
    this.topic(1, 3, 'topic-1', configs);
  }

  producer(transactionalId: string): TestProducer {
    const producer = new TestProducer(this, transactionalId);
    producer.init();
    return producer;
  }

  partition(number = 0): Partition {
    const partition = this.state.topics.get(idKey(id(1)))?.partitions[number];
    if (partition === undefined) {
      throw new Error(`the test has no partition ${number}`);
    }
    return partition;
  }

  stable(number = 0): number {
    return lastStableOffset(this.partition(number));
  }

  /** The content of a partition, as `base+records`, with `C` or `A` for markers. */
  log(number = 0): string {
    const { logStartOffset: offset } = this.partition(number);
    const [located] = locate(this.state, [{ topicId: id(1), partition: number, offset, maxBytes: 1e9 }]);
    return (located?.runs ?? [])
      .map(({ baseOffset, records, marker }) =>
        marker === null ? `${baseOffset}+${records}` : `${baseOffset}${marker.isCommit ? 'C' : 'A'}`,
      )
      .join(' ');
  }

  aborted(offset = 0, number = 0): string[] {
    const [located] = locate(this.state, [{ topicId: id(1), partition: number, offset, maxBytes: 1e9 }]);
    return (located?.aborted ?? []).map(
      ({ producerId, firstOffset, lastOffset }) => `${producerId}:${firstOffset}-${lastOffset}`,
    );
  }

  offsetOf(groupId: string, requireStable = false): number | string {
    const [answer] = fetchOffsets(this.state, groupId, [{ topic: 'topic-1', partition: 0 }], requireStable);
    return answer === undefined || answer.errorCode !== 0 ? `error ${answer?.errorCode}` : answer.offset;
  }

  plain(partition = 0, records = 1): CommitFileAnswer {
    const run: TestRun = { topic: id(1), partition, batches: [{ records }] };
    return this.commit([run]);
  }
}
