// From produced batches to committed data files: one open file, concurrent PUTs, commits in the order of opening, so that
// the service sees commits as agents send them.
import type { Payload, Placed } from '../auditor/log-auditor.ts';
import type { Machine } from '../kernel/machine.ts';
import type { Random } from '../kernel/random.ts';
import type { RequestInit, Response } from '../metadata/metadata-process.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { CallFailed, type MetadataClient } from './metadata-client.ts';

const FLUSH_INTERVAL_MS = 250;
const PUT_TIMEOUT_MS = 60_000;
const COMMIT_TIMEOUT_MS = 60_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;
/** The text in every refusal that is due to the timestamp of a file's id. */
const REFUSED_FOR_ITS_TIME = /check the clock of the agent/i;

/** A batch as a producer sends it. */
export interface ProducedBatch {
  payload: Payload;
  topicId: Uint8Array;
  producerId: number;
  producerEpoch: number;
  baseSequence: number;
  /** Absent: it is not transactional. */
  transactionalId?: string;
}

/** The outcome of a batch. `unknown`: the producer may not conclude anything. */
export type BatchOutcome =
  | { kind: 'stored'; offset: number }
  | { kind: 'refused'; errorCode: number }
  | { kind: 'unknown' };

/** The contents of a data file, in order. */
export type FileContent = readonly Placed[];

interface OpenFile {
  batches: ProducedBatch[];
  outcome: Promise<BatchOutcome[]>;
  settle: (outcomes: BatchOutcome[]) => void;
}

export interface WritePathOptions {
  machine: Machine;
  client: MetadataClient;
  objects: ObjectStore<FileContent>;
  random: Random;
  /** A file is about to be written. */
  onSealed: (name: string, content: FileContent) => void;
}

export class WritePath {
  readonly #options: WritePathOptions;
  #open: OpenFile | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(options: WritePathOptions) {
    this.#options = options;
  }

  /** Accepts a batch; resolves when its file is committed, or given up. */
  async admit(batch: ProducedBatch): Promise<BatchOutcome> {
    if (this.#open === undefined) {
      const { promise, resolve } = Promise.withResolvers<BatchOutcome[]>();
      const file: OpenFile = { batches: [], outcome: promise, settle: resolve };
      this.#open = file;
      this.#options.machine.after(FLUSH_INTERVAL_MS, () => this.#seal(file));
    }
    const file = this.#open;
    const at = file.batches.push(batch) - 1;
    const outcomes = await file.outcome;
    return outcomes[at] ?? { kind: 'unknown' };
  }

  #seal(file: OpenFile): void {
    this.#open = undefined;
    const previous = this.#last;
    this.#last = this.#write(file, previous);
  }

  async #write(file: OpenFile, previous: Promise<void>): Promise<void> {
    const { machine, random } = this.#options;
    const sealed = layOut(random.fileId(machine.nowMs()), file.batches);
    this.#options.onSealed(sealed.name, sealed.content);
    const isWritten = await this.#put(sealed.name, sealed.content);
    await previous;
    const unknown = file.batches.map((): BatchOutcome => ({ kind: 'unknown' }));
    file.settle(isWritten ? ((await this.#commit(sealed)) ?? unknown) : unknown);
  }

  async #put(name: string, content: FileContent): Promise<boolean> {
    const { machine, objects } = this.#options;
    const deadlineMs = machine.monotonicMs() + PUT_TIMEOUT_MS;
    let pauseMs = FIRST_PAUSE_MS;
    for (;;) {
      const isDone = await Promise.race([
        objects.put(machine, name, content).then(
          () => true,
          () => undefined,
        ),
        machine.sleep(deadlineMs - machine.monotonicMs()).then(() => false),
      ]);
      if (isDone !== undefined) {
        return isDone;
      }
      if (machine.monotonicMs() + pauseMs >= deadlineMs) {
        return false;
      }
      await machine.sleep(pauseMs);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
  }

  /** Undefined: the outcome is unknown. */
  async #commit(sealed: SealedFile): Promise<BatchOutcome[] | undefined> {
    let answer: Response<'commitFile'>;
    try {
      answer = await this.#options.client.call('commitFile', sealed.request, COMMIT_TIMEOUT_MS);
    } catch (error) {
      if (error instanceof CallFailed) {
        return undefined;
      }
      throw error;
    }
    if (REFUSED_FOR_ITS_TIME.test(answer.errorMessage)) {
      // Refused because of the file id's timestamp, as judged at that moment. Clients retry, and a duplicate of the call that is in flight
      // for hours may find that the id has become valid.
      return undefined;
    }
    const outcomes: BatchOutcome[] = [];
    for (const [at, produced] of sealed.order.entries()) {
      const errorCode = answer.errorCode !== 0 ? answer.errorCode : (answer.batchErrorCode[at] ?? 0);
      outcomes[produced] =
        errorCode === 0
          ? { kind: 'stored', offset: Number(answer.batchBaseOffset[at] ?? -1n) }
          : { kind: 'refused', errorCode };
    }
    return outcomes;
  }
}

interface SealedFile {
  name: string;
  content: FileContent;
  request: RequestInit<'commitFile'>;
  /** The index of the produced batch for each batch of the file. */
  order: number[];
}

/** Empty columns when no batch is transactional. */
function transactionColumns(ordered: readonly ProducedBatch[]) {
  const ids = [...new Set(ordered.flatMap(({ transactionalId }) => transactionalId ?? []))];
  return {
    transactions: ids.map((transactionalId) => ({ transactionalId, addsPartitions: true })),
    batchTransaction:
      ids.length === 0 ? [] : ordered.map(({ transactionalId }) => ids.indexOf(transactionalId ?? '') + 1),
  };
}

/** Groups the batches by partition, each run in the order of production. */
function layOut(fileId: Uint8Array, batches: readonly ProducedBatch[]): SealedFile {
  const runs = new Map<string, number[]>();
  for (const [at, { payload }] of batches.entries()) {
    const key = `${payload.topic} ${payload.partition}`;
    runs.set(key, [...(runs.get(key) ?? []), at]);
  }
  const order = [...runs.keys()].sort().flatMap((key) => runs.get(key) ?? []);
  const ordered = order.flatMap((at) => batches[at] ?? []);
  const topicNames = [...new Set(ordered.map(({ payload }) => payload.topic))];
  const topicIds = topicNames.flatMap((name) => ordered.find(({ payload }) => payload.topic === name)?.topicId ?? []);
  const content: Placed[] = [];
  const runTopic: number[] = [];
  const runPartition: number[] = [];
  const runPosition: bigint[] = [];
  const runBatches: number[] = [];
  let position = 0;
  for (const [at, { payload, transactionalId, producerId }] of ordered.entries()) {
    const before = ordered[at - 1]?.payload;
    if (before?.topic !== payload.topic || before.partition !== payload.partition) {
      runTopic.push(topicNames.indexOf(payload.topic));
      runPartition.push(payload.partition);
      runPosition.push(BigInt(position));
      runBatches.push(0);
    }
    runBatches[runBatches.length - 1] = (runBatches.at(-1) ?? 0) + 1;
    const { records, bytes } = payload;
    content.push({ payload, records, bytes, position, ...(transactionalId === undefined ? {} : { producerId }) });
    position += payload.bytes;
  }
  const request: RequestInit<'commitFile'> = {
    fileId,
    fileBytes: BigInt(position),
    topicIds,
    runTopic,
    runPartition,
    runPosition,
    runBatches,
    batchBytes: ordered.map(({ payload }) => payload.bytes),
    batchRecords: ordered.map(({ payload }) => payload.records),
    batchMaxTimestampMs: ordered.map(({ payload }) => BigInt(payload.timestampMs)),
    batchUncompressedBytes: ordered.map(({ payload }) => BigInt(payload.uncompressedBytes)),
    batchProducerId: ordered.map(({ producerId }) => BigInt(producerId)),
    batchProducerEpoch: ordered.map(({ producerEpoch }) => producerEpoch),
    batchBaseSequence: ordered.map(({ baseSequence }) => baseSequence),
    ...transactionColumns(ordered),
  };
  return { name: Buffer.from(fileId).toString('hex'), content, request, order };
}
