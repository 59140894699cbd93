// The real owner of one cluster, on an in-memory journal and the simulated clock; and its successors, which recover as any owner does.
import { randomUUID } from 'node:crypto';
import { JobPlans, Owner, randomIds, recover, systemClock } from '@penstock/metadata';
import type { AnswerByKind, ClusterState, CommandKind, CommandOf, Id } from '@penstock/metadata-core';
import {
  type ClusterIdentity,
  type JournalPosition,
  MemoryDeadFiles,
  MemoryJournal,
  type Retention,
} from '@penstock/metadata-journal';
import { createLogger } from '@penstock/platform';
import { SECOND_MS } from '@penstock/units';
import {
  AGENTS,
  GROUPS,
  OFFSETS_INTERVAL_MS,
  PARTITIONS_PER_TOPIC,
  PRODUCERS,
  RETENTION_MS,
  TOPICS,
} from './scenario.ts';
import type { SimulatedClock } from './simulated-clock.ts';
import { partitionsOfAgent, Traffic, topicName, topicOf } from './traffic.ts';

const HEARTBEAT_INTERVAL_MS = 3 * SECOND_MS;
const FILES_PER_DELETION = 1_000;

/** The journal, with counts of all appended entries and of those it holds. */
class CountedJournal extends MemoryJournal {
  appendedBytes = 0;
  appendedEntries = 0;
  /** Lets the journal grow past the last snapshot, as when the database fails to store the next. */
  refusesSnapshots = false;
  /** Sizes of entries, oldest first. */
  #entryBytes: number[] = [];
  /** Sizes of snapshots, newest first. */
  #snapshotBytes: number[] = [];

  /** Entries and snapshots in memory. */
  get storedBytes(): number {
    return [...this.#entryBytes, ...this.#snapshotBytes].reduce((sum, bytes) => sum + bytes, 0);
  }

  override async append(
    cluster: ClusterIdentity,
    previous: JournalPosition,
    bytes: Uint8Array,
  ): Promise<JournalPosition> {
    this.appendedBytes += bytes.length;
    this.appendedEntries += 1;
    this.#entryBytes.push(bytes.length);
    return await super.append(cluster, previous, bytes);
  }

  override async cut(clusterId: string, retain: Retention): Promise<number> {
    const dropped = await super.cut(clusterId, retain);
    this.#entryBytes = this.#entryBytes.slice(dropped);
    return dropped;
  }

  override async writeSnapshot(
    clusterId: string,
    position: JournalPosition,
    parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<void> {
    if (this.refusesSnapshots) {
      throw new Error('snapshots are refused for now');
    }
    let bytes = 0;
    async function* counted(): AsyncIterable<Uint8Array> {
      for await (const part of parts) {
        bytes += part.length;
        yield part;
      }
    }
    await super.writeSnapshot(clusterId, position, counted());
    this.#snapshotBytes = [bytes, ...this.#snapshotBytes].slice(0, 2);
    // Metering has read everything, so that the journal can be cut.
    this.markFolded(clusterId, position.seq);
  }
}

const AGENT_KEY_ID = 'the key of all agents';

export class OwnedCluster {
  readonly clock: SimulatedClock;
  readonly journal = new CountedJournal();
  readonly topicIds: Id[] = Array.from({ length: TOPICS }, () => randomIds.uuidBytes());
  readonly traffic = new Traffic(this.topicIds);
  readonly #identity: ClusterIdentity = { clusterId: randomUUID(), organizationId: 'bench' };
  #owned: { owner: Owner; state: ClusterState } | undefined;
  #nextHeartbeatMs: number;

  constructor(clock: SimulatedClock) {
    this.clock = clock;
    this.#nextHeartbeatMs = clock.nowMs();
  }

  get owner(): Owner {
    return this.#opened().owner;
  }

  get state(): ClusterState {
    return this.#opened().state;
  }

  /** Opens the cluster for the first time and creates its topics, agents and producers. */
  async create(): Promise<void> {
    await this.open();
    await this.joinAgents();
    const { results } = await this.submit({
      kind: 'create-topics',
      topics: this.topicIds.map((topicId, topic) => ({
        name: topicName(topic),
        topicId,
        partitions: PARTITIONS_PER_TOPIC,
        configs: [{ name: 'retention.ms', value: String(RETENTION_MS) }],
      })),
      validateOnly: false,
    });
    if (results.some(({ errorCode }) => errorCode !== 0)) {
      throw new Error(`topics were refused: ${JSON.stringify(results)}`);
    }
    for (let producer = 1; producer <= PRODUCERS; producer += 1) {
      await this.submit({
        kind: 'init-producer-id',
        producerId: -1,
        producerEpoch: -1,
        requestId: randomIds.uuidBytes(),
      });
    }
  }

  /** Recovers the state and starts a new owner. Returns the time of `recover` alone. */
  async open(): Promise<{ recoveryMs: number; replayedEntries: number; replayedBytes: number }> {
    const startedMs = performance.now();
    const recovered = await recover(
      this.journal,
      this.#identity,
      // Commands use simulated time; recovery slices are measured in real time.
      { ...systemClock, nowMs: () => this.clock.nowMs() },
      {
        onSnapshotUnreadable: (seq, error) => {
          throw new Error(`snapshot ${seq} cannot be read`, { cause: error });
        },
      },
    );
    const recoveryMs = performance.now() - startedMs;
    const owner = new Owner(
      {
        cluster: this.#identity,
        journal: this.journal,
        clock: this.clock,
        ids: randomIds,
        logger: createLogger({ name: 'bench', level: 'error' }),
        initialRebalanceDelayMs: 0,
        journalKeptMs: 0,
        deadFiles: new MemoryDeadFiles(),
        restoreWindowMs: 0,
        jobPlans: new JobPlans([{ id: 1, secret: 'the root secret of a benchmark' }], this.#identity.clusterId),
        isLeaseValid: () => true,
        onClosed: () => undefined,
      },
      recovered,
    );
    this.#owned = { owner, state: recovered.state };
    return { recoveryMs, replayedEntries: recovered.replayedEntries, replayedBytes: recovered.replayedBytes };
  }

  /** The owner retires before another takes over. */
  async close(): Promise<void> {
    const { owner } = this.#opened();
    await owner.retire();
    this.#owned = undefined;
  }

  /** @throws when the whole command was refused */
  async submit<K extends CommandKind>(command: CommandOf<K>): Promise<AnswerByKind[K]> {
    const answer = await this.#opened().owner.submit(command);
    if ('errorCode' in answer && answer.errorCode !== 0) {
      throw new Error(`${command.kind} was refused: ${JSON.stringify(answer)}`);
    }
    if ('batchErrorCode' in answer && answer.batchErrorCode.length > 0) {
      throw new Error(`batches were refused: ${answer.batchErrorCode.join(', ')}`);
    }
    if ('outcome' in answer && answer.outcome !== 'applied') {
      throw new Error(`${command.kind} was refused: ${answer.reason}`);
    }
    return answer;
  }

  /** Advances time heartbeat by heartbeat. The owner's timers run, and their work is durable when this resolves. */
  async moveTo(timeMs: number): Promise<void> {
    const { owner } = this.#opened();
    while (this.#nextHeartbeatMs <= timeMs) {
      this.clock.moveTo(this.#nextHeartbeatMs);
      this.#nextHeartbeatMs += HEARTBEAT_INTERVAL_MS;
      for (let agent = 0; agent < AGENTS; agent += 1) {
        owner.agents.heartbeat(agentId(agent), undefined);
      }
    }
    this.clock.moveTo(timeMs);
    await owner.read(() => undefined);
  }

  /** All members of all groups commit their offsets. */
  async commitOffsets(): Promise<void> {
    for (let group = 0; group < GROUPS; group += 1) {
      for (let member = 0; member < AGENTS; member += 1) {
        await this.submit(this.traffic.offsets(group, member, this.clock.nowMs() / OFFSETS_INTERVAL_MS));
      }
    }
  }

  /** The agents delete all objects of dead files. */
  async deleteFiles(): Promise<void> {
    for (;;) {
      const { fileIds } = await this.submit({ kind: 'take-deletions', maxFiles: FILES_PER_DELETION });
      if (fileIds.length === 0) {
        return;
      }
      await this.submit({ kind: 'confirm-deletions', fileIds });
    }
  }

  /** Takes a snapshot now and returns its size. */
  async snapshotNow(): Promise<number> {
    const { bytes } = await this.#opened().owner.takeSnapshot();
    return bytes;
  }

  /** The agents register with the owner and watch their partitions. */
  async joinAgents(): Promise<void> {
    const { owner } = this.#opened();
    for (let agent = 0; agent < AGENTS; agent += 1) {
      await this.submit({
        kind: 'register-agent',
        agentId: agentId(agent),
        zone: `zone-${agent % 3}`,
        version: '1.0.0',
        advertisedHost: `agent-${agent}.example`,
        advertisedPort: 9092,
        bucket: 's3://bench',
        keyId: AGENT_KEY_ID,
      });
      owner.agents.presences.welcome(agentId(agent), AGENT_KEY_ID);
      const { stream } = owner.watches.open(agentId(agent));
      for (const partition of partitionsOfAgent[agent] ?? []) {
        const topicId = this.topicIds[topicOf(partition)];
        const problem =
          topicId === undefined ? null : owner.watches.addInterest(stream, topicId, partition % PARTITIONS_PER_TOPIC);
        if (problem !== null) {
          throw new Error(problem);
        }
      }
      await owner.watches.roomForFirst(stream);
      void drain(stream);
    }
  }

  #opened(): { owner: Owner; state: ClusterState } {
    if (this.#owned === undefined) {
      throw new Error('the cluster is not open');
    }
    return this.#owned;
  }
}

function agentId(agent: number): string {
  return `agent-${agent}`;
}

/** An agent that reads its watch stream without delay. */
async function drain(stream: { next(): Promise<unknown> }): Promise<void> {
  while ((await stream.next()) !== undefined) {
    // What it learns is of no use here.
  }
}
