// Group commit. Commands that changed the state collect in the open batch. At most one append is in flight; commands that arrive meanwhile
// share the next one. No result of a batch is published before the batch is durable.
import {
  type ClientChanges,
  type Command,
  type Effects,
  encodeEntry,
  meterOf,
  payloadBytes,
  type RulesVersion,
} from '@penstock/metadata-core';
import { type ClusterIdentity, JOURNAL_START, type Journal, type JournalPosition } from '@penstock/metadata-journal';
import type { BatchSpans, Traces } from '../traces/traces.ts';
import type { Clock } from './clock.ts';
import type { CommitTimes } from './commit-times.ts';

/** With more waiting commands than this, new ones are refused: PostgreSQL has fallen far behind. */
const MAX_WAITING_COMMANDS = 10_000;
/** With more runs than this in the open batch, new commands are refused too. It bounds an entry to some 50 MB. */
const MAX_WAITING_RUNS = 1_000_000;
/** Like the limit above, for bytes that callers choose, such as the metadata of members that join repeatedly. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/**
 * A data file does not join an open batch that would then have more runs than this. An entry is encoded, published and answered without a
 * pause, so this bounds for how long one cluster keeps the process from others: some 5 ms.
 */
const MAX_SHARED_RUNS = 8_192;

interface Batch {
  /** When its first command was added. */
  openedMs: number;
  /** All commands of a batch share one time: that of the first. */
  nowMs: number;
  commands: Command[];
  effects: Effects[];
  /** Changes made by Kafka clients, for the audit log. */
  changes: ClientChanges[];
  runs: number;
  /** Size of the payload; see `payloadBytes`. */
  bytes: number;
  spans: BatchSpans | undefined;
  /** Called when the batch's commands, and none after them, have been applied. */
  reads: (() => void)[];
  /** The position of the batch's entry. Settles when the entry is durable. */
  position: JournalPosition;
  durable: Promise<void>;
  resolve: () => void;
  reject: (error: Error) => void;
}

export interface CommitPipelineOptions {
  journal: Journal;
  cluster: ClusterIdentity;
  clock: Pick<Clock, 'soon' | 'monotonicMs'>;
  /** Measures appends and commits for /metrics. */
  times: CommitTimes;
  /** The position of the journal's last entry. */
  position: JournalPosition;
  /** The cluster's rules level: the rules that its commands follow, and the format of its entries. */
  rules: RulesVersion;
  /** Undefined when tracing is disabled. */
  traces: Traces | undefined;
  /** The batch is durable. Its callers are answered right after this returns. */
  onDurable: (effects: readonly Effects[], entryBytes: number) => void;
  /** The append failed. The owner must step down, and fail the pipeline with the error that callers should get. */
  onFailed: (cause: unknown) => void;
}

export class CommitPipeline {
  readonly #options: CommitPipelineOptions;
  #position: JournalPosition;
  #open: Batch = newBatch();
  #inFlight: Batch | undefined;
  #isScheduled = false;
  #failure: Error | undefined;

  constructor(options: CommitPipelineOptions) {
    this.#options = options;
    this.#position = options.position;
  }

  /** The position of the last durable entry. */
  get position(): JournalPosition {
    return this.#position;
  }

  /** Entries that this owner has appended. */
  get entriesAppended(): number {
    return this.#position.seq - this.#options.position.seq;
  }

  get isFull(): boolean {
    const { commands, runs, bytes } = this.#open;
    return commands.length >= MAX_WAITING_COMMANDS || runs >= MAX_WAITING_RUNS || bytes >= MAX_WAITING_BYTES;
  }

  /** The time that a command sharing the open batch must be applied with. Undefined when the next command opens a batch. */
  get openBatchMs(): number | undefined {
    return this.#open.commands.length > 0 ? this.#open.nowMs : undefined;
  }

  /**
   * Adds a command that was just applied at `nowMs` and changed the state.
   * @param changes what it changed, if it came from a Kafka client and the audit log has to show it
   */
  add(command: Command, nowMs: number, effects: Effects, changes?: ClientChanges): void {
    if (this.#open.commands.length === 0) {
      this.#open.openedMs = this.#options.clock.monotonicMs();
    }
    this.#open.nowMs = nowMs;
    this.#open.commands.push(command);
    this.#open.effects.push(effects);
    this.#open.bytes += payloadBytes(command);
    if (changes !== undefined) {
      this.#open.changes.push(changes);
    }
    if (this.#options.traces !== undefined) {
      this.#open.spans = this.#options.traces.joinBatch(this.#open.spans);
    }
    if (command.kind === 'commit-file') {
      this.#open.runs += command.runTopic.length;
    }
    if (command.kind === 'replace-runs') {
      this.#open.runs += command.targetTopic.length;
    }
    if (this.#inFlight === undefined) {
      this.#schedule();
    }
  }

  /**
   * Await it before adding a file, and ask again. Undefined when the open batch has room for it.
   * @param runs of the file
   */
  whenRoom(runs: number): Promise<void> | undefined {
    const isTooMuch = this.#open.runs > 0 && this.#open.runs + runs > MAX_SHARED_RUNS;
    return isTooMuch && this.#failure === undefined ? (this.#inFlight ?? this.#open).durable : undefined;
  }

  /** Resolves when everything added so far is durable. Rejects when the owner steps down before that. */
  whenDurable(): Promise<void> {
    if (this.#failure !== undefined) {
      return Promise.reject(this.#failure);
    }
    if (this.#open.commands.length > 0) {
      return this.#open.durable;
    }
    return this.#inFlight?.durable ?? Promise.resolve();
  }

  /**
   * Calls `read` when the state matches some journal entry exactly: at once when nothing is in progress, otherwise when the next entry is
   * closed. Resolves with that entry's position when it is durable; rejects when the owner steps down before that.
   */
  async atEntry(read: () => void): Promise<JournalPosition> {
    if (this.#failure !== undefined) {
      throw this.#failure;
    }
    const batch = this.#open.commands.length > 0 ? this.#open : this.#inFlight;
    if (batch === undefined) {
      read();
      return this.#position;
    }
    if (batch === this.#open) {
      batch.reads.push(read);
    } else {
      // Nothing was applied since the entry in flight was closed.
      read();
    }
    await batch.durable;
    return batch.position;
  }

  /** Rejects everything that waits. Entries in flight may or may not become durable; no caller gets a success for them. */
  fail(error: Error): void {
    if (this.#failure !== undefined) {
      return;
    }
    this.#failure = error;
    this.#inFlight?.reject(error);
    this.#open.spans?.end(error);
    this.#open.reject(error);
  }

  #schedule(): void {
    if (this.#isScheduled) {
      return;
    }
    this.#isScheduled = true;
    // Commands that arrive in the same turn of the event loop share the append.
    this.#options.clock.soon(() => {
      this.#isScheduled = false;
      void this.#appendOpenBatch();
    });
  }

  async #appendOpenBatch(): Promise<void> {
    if (this.#failure !== undefined || this.#inFlight !== undefined || this.#open.commands.length === 0) {
      return;
    }
    const batch = this.#open;
    this.#inFlight = batch;
    this.#open = newBatch();
    for (const read of batch.reads) {
      read();
    }
    const previous = this.#position;
    const { nowMs, commands, effects, changes, spans } = batch;
    const { rules, clock, times } = this.#options;
    const startMs = clock.monotonicMs();
    let position: JournalPosition;
    let entryBytes: number;
    try {
      const entry = encodeEntry({ nowMs, rules, commands, meter: meterOf(effects), changes });
      entryBytes = entry.length;
      const { clusterId } = this.#options.cluster;
      spans?.writing({ clusterId, seq: previous.seq + 1, commands: commands.length, entryBytes });
      position = await this.#options.journal.append(this.#options.cluster, previous, entry);
    } catch (cause) {
      times.appended(clock.monotonicMs() - startMs, false);
      spans?.end(cause);
      this.#options.onFailed(cause);
      return;
    }
    spans?.end();
    const durableMs = clock.monotonicMs();
    times.appended(durableMs - startMs, true);
    times.committed(durableMs - batch.openedMs);
    // The owner stepped down during the append. Its callers already know that the outcome is unknown.
    if (this.#failure !== undefined) {
      return;
    }
    this.#position = position;
    batch.position = position;
    this.#inFlight = undefined;
    this.#options.onDurable(batch.effects, entryBytes);
    batch.resolve();
    if (this.#open.commands.length > 0) {
      this.#schedule();
    }
  }
}

function newBatch(): Batch {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // A batch may fail while nobody awaits it.
  promise.catch(() => undefined);
  return {
    openedMs: 0,
    nowMs: 0,
    commands: [],
    effects: [],
    changes: [],
    runs: 0,
    bytes: 0,
    spans: undefined,
    reads: [],
    position: JOURNAL_START,
    durable: promise,
    resolve,
    reject,
  };
}
