// Transactional producers and readers at read_committed, with a topic of their own. Each producer writes to some partitions and commits the
// number of its transaction as the offset of its group, so that outputs and offsets can be compared. They work in some seeds only, and in
// some of these the topic is compacted.
import { CallFailed } from '../agents/metadata-client.ts';
import { foundRun } from '../agents/partition-tail.ts';
import type { BatchOutcome } from '../agents/write-path.ts';
import type { Payload, Placed, PlacedMarker } from '../auditor/log-auditor.ts';
import type { SimTransaction } from '../auditor/transaction-auditor.ts';
import type { Response } from '../metadata/metadata-process.ts';
import type { World } from '../world.ts';

const PRODUCERS = 3;
const READERS = 2;
const PARTITIONS = 3;
const TOPIC = 'ledger';
const THINK_MOST_MS = 1_500;
const TIMEOUT_MS = 8_000;
/** An owner ends a transaction at most so much later than its time is over. */
const EXPIRY_MOST_MS = 5_000;
const BATCH_TIMEOUT_MS = 4_000;
const ATTEMPTS = 4;
const MAX_BYTES = 3_000;
const MAX_READS = 5_000;
/** How often a client goes away in the middle, and its last request arrives late. */
const CRASH_CHANCE = 0.12;
const ABORT_CHANCE = 0.2;
const SLEEP_CHANCE = 0.08;
const TRUNCATE_CHANCE = 0.25;
/** How often a client aborts while its batches are on their way. */
const HASTE_CHANCE = 0.15;
/** Few, so that compaction has something to remove. */
const KEYS = 4;
const COMPACTED = [
  { name: 'cleanup.policy', value: 'compact' },
  { name: 'min.cleanable.dirty.ratio', value: '0.1' },
  { name: 'delete.retention.ms', value: '5000' },
];
const TOPIC_ALREADY_EXISTS = 36;
/** A call through an agent that is dead never ends: then another instance takes over. */
const INSTANCE_TIMEOUT_MS = 45_000;

type Located = Response<'locate'>['located'][number];

/** The result of one response of the service for a read_committed reader. */
interface Read {
  batches: { payload: Payload; offset: number }[];
  /** All that was read, whether or not the reader may see it. */
  files: { run: ReturnType<typeof foundRun>; content: readonly Placed[] }[];
  /** Those that are rows of the index. */
  markers: { offset: number; marker: PlacedMarker }[];
  next: number;
}

export class Transactions {
  readonly #world: World;
  readonly #isAtWork: boolean;
  readonly #isCompacted: boolean;
  #topicId: Uint8Array | undefined;
  #atWork = 0;
  /** Until then, an abandoned transaction may be open. */
  #openUntilMs = 0;
  isFinishing = false;

  constructor(world: World, isAtWork: boolean, isCompacted: boolean) {
    this.#world = world;
    this.#isAtWork = isAtWork;
    this.#isCompacted = isCompacted;
    if (this.#isAtWork) {
      void this.#start();
    }
  }

  /** No producer is in the middle of a transaction, and the time of those that were abandoned is over. */
  get isIdle(): boolean {
    return this.#atWork === 0 && this.#world.scheduler.nowMs >= this.#openUntilMs;
  }

  /** Reads all partitions and offsets, and checks them. Call it before the meters are compared. @throws AuditFailure */
  async audit(): Promise<void> {
    const topicId = this.#topicId;
    if (topicId === undefined) {
      return;
    }
    const { auditor, trace } = this.#world;
    const visible = new Map<string, number>();
    for (let partition = 0; partition < PARTITIONS; partition += 1) {
      await this.#readAll(topicId, partition, visible);
    }
    const offsets = new Map<string, number>();
    for (const client of clientNames()) {
      const partitions = [{ topic: TOPIC, partition: 0 }];
      const { client: calls } = this.#world.anyAgent();
      const answer = await calls.call('fetchOffsets', { groupId: client, partitions, requireStable: true });
      const [found] = answer.offsets;
      if (found?.errorCode !== 0) {
        throw new Error(`the offset of ${client} is not stable although all faults have ended`);
      }
      offsets.set(client, Math.max(0, Number(found.offset)));
    }
    auditor.transactions.inspect(visible, (client) => offsets.get(client) ?? 0);
    trace.add(`${auditor.transactions.count} transactions, ${visible.size} of their batches are visible`);
  }

  async #start(): Promise<void> {
    const { scheduler, random, auditor } = this.#world;
    const policy = this.#isCompacted ? COMPACTED : [];
    if (this.#isCompacted) {
      auditor.logs.compactionAsked(TOPIC, PARTITIONS, true);
      auditor.transactions.isCompacted = true;
    }
    while (this.#topicId === undefined) {
      await scheduler.sleep(1 + random.below(THINK_MOST_MS));
      const { client } = this.#world.anyAgent();
      await unlessFailed(async () => {
        const topics = [
          { name: TOPIC, partitions: PARTITIONS, configs: [{ name: 'retention.ms', value: '-1' }, ...policy] },
        ];
        const { results } = await client.call('createTopics', { topics });
        const isThere = results[0]?.errorCode === 0 || results[0]?.errorCode === TOPIC_ALREADY_EXISTS;
        const { topics: found } = isThere
          ? await client.call('describeCluster', { topicNames: [TOPIC] })
          : { topics: [] };
        this.#topicId = found.find(({ name }) => name === TOPIC)?.topicId;
      });
    }
    for (const client of clientNames()) {
      void this.#produce(client, this.#topicId);
    }
    for (let reader = 0; reader < READERS; reader += 1) {
      void this.#follow(this.#topicId);
    }
  }

  async #produce(name: string, topicId: Uint8Array): Promise<void> {
    const { scheduler, random } = this.#world;
    let client = new TransactionalClient(this.#world, name, topicId, 0);
    while (!this.isFinishing) {
      this.#atWork += 1;
      if (!(await this.#isDone(client.transact()))) {
        client = new TransactionalClient(this.#world, name, topicId, client.number);
      }
      this.#atWork -= 1;
      await scheduler.sleep(1 + random.below(THINK_MOST_MS));
    }
    this.#atWork += 1;
    await this.#isDone(client.abandon());
    this.#openUntilMs = scheduler.nowMs + TIMEOUT_MS + EXPIRY_MOST_MS;
    this.#atWork -= 1;
  }

  /** False: it takes so long that another instance takes over. */
  async #isDone(work: Promise<void>): Promise<boolean> {
    const done = unlessFailed(() => work).then(() => true);
    return await Promise.race([done, this.#world.scheduler.sleep(INSTANCE_TIMEOUT_MS).then(() => false)]);
  }

  /** Reads one partition after the other at read_committed, from some offset on. */
  async #follow(topicId: Uint8Array): Promise<void> {
    const { scheduler, random } = this.#world;
    for (;;) {
      const partition = random.below(PARTITIONS);
      let offset = 0;
      for (let turns = 1 + random.below(8); turns > 0; turns -= 1) {
        await scheduler.sleep(1 + random.below(THINK_MOST_MS));
        const located = await this.#locate(topicId, partition, offset);
        if (located === undefined) {
          continue;
        }
        if (located.errorCode !== 0) {
          offset = Math.max(0, Number(located.logStartOffset));
          continue;
        }
        const contents = await this.#contentsOf(located);
        const read = committedIn(located, contents, offset);
        // An agent keeps the answer, and serves readers before `offset` from it, too.
        const first = Number(located.runs[0]?.baseOffset ?? offset);
        const others = committedIn(located, contents, Math.max(first, Number(located.logStartOffset)));
        this.#world.guard(() => {
          this.#note(partition, read);
          for (const { payload } of [...read.batches, ...others.batches]) {
            this.#world.auditor.transactions.shown(payload.name);
          }
        });
        offset = read.next;
      }
    }
  }

  async #readAll(topicId: Uint8Array, partition: number, visible: Map<string, number>): Promise<void> {
    let next = 0;
    for (let reads = 0; reads < MAX_READS; reads += 1) {
      const located = await this.#locate(topicId, partition, next);
      if (located === undefined) {
        continue;
      }
      if (located.errorCode !== 0) {
        next = Number(located.logStartOffset);
        continue;
      }
      if (located.lastStableOffset !== undefined) {
        throw new Error(
          `${TOPIC}-${partition} is stable only up to ${located.lastStableOffset} although all faults have ended`,
        );
      }
      if (located.runs.length === 0) {
        return;
      }
      const read = committedIn(located, await this.#contentsOf(located), next);
      this.#note(partition, read);
      for (const { payload, offset } of read.batches) {
        visible.set(payload.name, offset);
      }
      ({ next } = read);
    }
    throw new Error(`${TOPIC}-${partition} cannot be read`);
  }

  /** Whatever was found anywhere must be the same everywhere. */
  #note(partition: number, { files, markers }: Pick<Read, 'files' | 'markers'>): void {
    const { logs } = this.#world.auditor;
    for (const { run, content } of files) {
      logs.found(TOPIC, partition, run, content);
    }
    for (const { offset, marker } of markers) {
      logs.foundMarker(TOPIC, partition, offset, marker);
    }
  }

  async #locate(topicId: Uint8Array, partition: number, offset: number): Promise<Located | undefined> {
    const cursors = [{ topicId, partition, offset: BigInt(offset), maxBytes: MAX_BYTES }];
    let found: Located | undefined;
    await unlessFailed(async () => {
      found = (await this.#world.anyAgent().client.call('locate', { cursors })).located[0];
    });
    return found;
  }

  /** The contents of each run, up to the first whose object can't be read. A marker has none. */
  async #contentsOf({ runs }: Located): Promise<(readonly Placed[])[]> {
    const contents: (readonly Placed[])[] = [];
    for (const place of runs) {
      const content = place.marker === undefined ? await this.#contentOf(foundRun(place)) : [];
      if (place.marker === undefined && content.length === 0) {
        break;
      }
      contents.push(content);
    }
    return contents;
  }

  /** Empty: the object can't be read. */
  async #contentOf({ file, position, bytes }: ReturnType<typeof foundRun>): Promise<readonly Placed[]> {
    const { objects } = this.#world;
    const { machine } = this.#world.anyAgent();
    let object: readonly Placed[] | undefined;
    await unlessFailed(async () => {
      object = await objects.get(machine, file);
    });
    return object?.filter((batch) => batch.position >= position && batch.position < position + bytes) ?? [];
  }
}

/**
 * The batches from an offset on that a reader at read_committed may see, as an agent and its client filter them.
 * @param contents of the first runs
 */
function committedIn(located: Located, contents: readonly (readonly Placed[])[], from: number): Read {
  const stable = Number(located.lastStableOffset ?? located.highWatermark);
  const filter = new CommittedFilter(located, from);
  const read: Read = { batches: [], files: [], markers: [], next: from };
  for (const [at, content] of contents.entries()) {
    const place = located.runs[at];
    if (place === undefined) {
      break;
    }
    const run = foundRun(place);
    if (place.marker !== undefined) {
      const marker = markerOf(place.marker, place.maxTimestampMs);
      read.markers.push({ offset: run.baseOffset, marker });
      filter.end(marker, run.baseOffset);
      read.next = run.baseOffset + 1;
      continue;
    }
    read.files.push({ run, content });
    let offset = run.baseOffset;
    for (const { payload, marker, producerId, records } of content) {
      // An agent serves no batch that lies before what is asked for.
      const isServed = offset + records > from && offset < stable;
      if (isServed && marker !== undefined) {
        filter.end(marker, offset);
      } else if (isServed && payload !== null && filter.admits(producerId, offset + records - 1)) {
        read.batches.push({ payload, offset });
      }
      offset += records;
    }
    read.next = offset;
  }
  return read;
}

/** Leaves out aborted batches as consumers do: from the first offset of an aborted transaction up to the next abort of its
 * producer's. */
class CommittedFilter {
  /** The open transactions, by first offset. */
  readonly #ahead: { producerId: number; first: number }[];
  readonly #aborted = new Set<number>();

  constructor({ aborted }: Located, from: number) {
    // As an agent: of those that end before what is asked for, the client would not see the end.
    this.#ahead = aborted
      .filter(({ lastOffset }) => Number(lastOffset) >= from)
      .map(({ producerId, firstOffset }) => ({ producerId: Number(producerId), first: Number(firstOffset) }))
      .sort((a, b) => a.first - b.first);
  }

  /** @param producerId absent: the batch is not transactional */
  admits(producerId: number | undefined, lastOffset: number): boolean {
    this.#begin(lastOffset);
    return producerId === undefined || !this.#aborted.has(producerId);
  }

  end({ producerId, isCommit }: PlacedMarker, offset: number): void {
    this.#begin(offset);
    if (!isCommit) {
      this.#aborted.delete(producerId);
    }
  }

  #begin(offset: number): void {
    for (let next = this.#ahead[0]; next !== undefined && next.first <= offset; next = this.#ahead[0]) {
      this.#aborted.add(next.producerId);
      this.#ahead.shift();
    }
  }
}

function markerOf(
  { producerId, producerEpoch, committed }: NonNullable<Located['runs'][number]['marker']>,
  timestampMs: bigint,
): PlacedMarker {
  return { producerId: Number(producerId), producerEpoch, isCommit: committed, timestampMs: Number(timestampMs) };
}

interface Claim {
  transactionalId: string;
  producerId: bigint;
  producerEpoch: number;
}

/** One transactional id, and the instance that holds it. */
class TransactionalClient {
  readonly #world: World;
  readonly #name: string;
  readonly #topicId: Uint8Array;
  #producerId = -1;
  #epoch = -1;
  #batches = 0;
  /** The number of its last transaction. */
  number: number;

  constructor(world: World, name: string, topicId: Uint8Array, number: number) {
    this.number = number;
    this.#world = world;
    this.#name = name;
    this.#topicId = topicId;
  }

  /** One transaction, from its begin to its end. @throws CallFailed */
  async transact(): Promise<void> {
    if (this.#producerId < 0) {
      await this.#init();
      return;
    }
    const { random, scheduler, auditor } = this.#world;
    this.number += 1;
    const transaction = auditor.transactions.begun(this.#name, this.number, this.#producerId);
    try {
      if (random.chance(HASTE_CHANCE)) {
        void unlessFailed(async () => void (await this.#fill(transaction)));
        await scheduler.sleep(random.below(1_000));
        await this.#end(transaction, false);
        return;
      }
      const isWhole = await this.#fill(transaction);
      if (random.chance(SLEEP_CHANCE)) {
        await scheduler.sleep(2 * TIMEOUT_MS);
      }
      if (random.chance(CRASH_CHANCE) && isWhole) {
        this.#leave(transaction);
        return;
      }
      await this.#end(transaction, isWhole && !random.chance(ABORT_CHANCE));
      await this.#truncate(transaction);
    } catch (error) {
      transaction.fate = transaction.fate === 'open' ? 'aborted' : transaction.fate;
      this.#producerId = -1;
      throw error;
    }
  }

  /** Begins a transaction that nobody will end. @throws CallFailed */
  async abandon(): Promise<void> {
    if (this.#producerId < 0) {
      return;
    }
    this.number += 1;
    const transaction = this.#world.auditor.transactions.begun(this.#name, this.number, this.#producerId);
    transaction.fate = 'aborted';
    await this.#fill(transaction);
  }

  async #init(): Promise<void> {
    const request = {
      producerId: -1n,
      producerEpoch: -1,
      requestId: this.#world.random.id(),
      transactionalId: this.#name,
      transactionTimeoutMs: TIMEOUT_MS,
    };
    const { errorCode, producerId, producerEpoch } = await this.#world
      .anyAgent()
      .client.call('initProducerId', request);
    if (errorCode === 0) {
      this.#producerId = Number(producerId);
      this.#epoch = producerEpoch;
    }
  }

  get #claim(): Claim {
    return { transactionalId: this.#name, producerId: BigInt(this.#producerId), producerEpoch: this.#epoch };
  }

  /** Writes to some partitions and commits the offset. False: something failed, so the transaction must be aborted. */
  async #fill(transaction: SimTransaction): Promise<boolean> {
    const { random } = this.#world;
    // The next transaction has another epoch, and this one may still be on its way.
    const claim = this.#claim;
    const chosen = Array.from({ length: PARTITIONS }, (_, partition) => partition).filter(() => random.chance(0.6));
    const lengths = chosen.map(() => 1 + random.below(3));
    const written = await Promise.all(
      chosen.map(async (partition, at) => {
        let sequence = 0;
        for (let left = lengths[at] ?? 0; left > 0; left -= 1) {
          const records = 1 + random.below(4);
          if (!(await this.#write(transaction, claim, partition, sequence, records))) {
            return false;
          }
          sequence += records;
        }
        return true;
      }),
    );
    if (written.includes(false)) {
      return false;
    }
    const offsets = [{ topic: TOPIC, partition: 0, offset: BigInt(transaction.number), leaderEpoch: -1, metadata: '' }];
    const transactionOf = { ...claim, addsGroup: true };
    const request = { groupId: this.#name, generationId: -1, offsets, transaction: transactionOf };
    const { errorCode, offsetErrorCodes } = await this.#world.anyAgent().client.call('commitOffsets', request);
    return errorCode === 0 && offsetErrorCodes.every((code) => code === 0);
  }

  async #write(
    transaction: SimTransaction,
    claim: Claim,
    partition: number,
    sequence: number,
    records: number,
  ): Promise<boolean> {
    const { random, scheduler, auditor } = this.#world;
    this.#batches += 1;
    const payload: Payload = {
      name: `${this.#name}/${transaction.number}/${TOPIC}-${partition}/${this.#batches}`,
      topic: TOPIC,
      partition,
      key: `key${random.below(KEYS)}`,
      records,
      bytes: 61 + random.below(100),
      uncompressedBytes: 61 + 7 * records + random.below(500),
      timestampMs: Math.floor(scheduler.nowMs),
      order: null,
    };
    const { name, key } = payload;
    const sent = { name, partition, key, records, offset: undefined as number | undefined };
    auditor.transactions.sent(transaction, sent);
    const batch = {
      payload,
      topicId: this.#topicId,
      producerId: Number(claim.producerId),
      producerEpoch: claim.producerEpoch,
      baseSequence: sequence,
      transactionalId: this.#name,
    };
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const outcome = await Promise.race([
        this.#world.anyAgent().produce(batch),
        scheduler.sleep(BATCH_TIMEOUT_MS).then((): BatchOutcome => ({ kind: 'unknown' })),
      ]);
      if (outcome.kind === 'stored') {
        sent.offset = outcome.offset;
        return true;
      }
      if (outcome.kind === 'refused') {
        return false;
      }
    }
    return false;
  }

  async #end(transaction: SimTransaction, committed: boolean): Promise<void> {
    transaction.fate = committed ? 'unknown' : 'aborted';
    const request = { ...this.#claim, committed, bumpsEpoch: true };
    const { errorCode, producerId, producerEpoch } = await this.#world
      .anyAgent()
      .client.call('endTransaction', request);
    if (errorCode === 0) {
      transaction.fate = committed ? 'committed' : 'aborted';
      this.#producerId = Number(producerId);
      this.#epoch = producerEpoch;
    } else {
      // A repeated request may be refused although the first one was not.
      this.#producerId = -1;
    }
  }

  /** The instance goes away. Its request to commit arrives some time later, perhaps after its successor has come. */
  #leave(transaction: SimTransaction): void {
    const { random, scheduler } = this.#world;
    transaction.fate = 'unknown';
    const request = { ...this.#claim, committed: true, bumpsEpoch: true };
    const { client } = this.#world.anyAgent();
    scheduler.after(random.below(3_000), () => {
      void unlessFailed(async () => {
        const { errorCode } = await client.call('endTransaction', request);
        transaction.fate = errorCode === 0 ? 'committed' : transaction.fate;
      });
    });
    this.#producerId = -1;
  }

  async #truncate({ batches }: SimTransaction): Promise<void> {
    const { random, auditor } = this.#world;
    const last = batches.findLast(({ offset }) => offset !== undefined);
    if (last?.offset === undefined || !random.chance(TRUNCATE_CHANCE)) {
      return;
    }
    // Into the batch, so that the marker behind it stays.
    const offset = last.offset + random.below(last.records);
    auditor.transactions.truncationAsked(last.partition, offset);
    auditor.logs.truncationAsked(TOPIC, last.partition, offset);
    const partitions = [{ topicId: this.#topicId, partition: last.partition, beforeOffset: BigInt(offset) }];
    await this.#world.anyAgent().client.call('deleteRecords', { partitions });
  }
}

function clientNames(): string[] {
  return Array.from({ length: PRODUCERS }, (_, number) => `bank${number}`);
}

async function unlessFailed(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const isExpected = error instanceof CallFailed || (error instanceof Error && error.name === 'ObjectStoreFailed');
    if (!isExpected) {
      throw error;
    }
  }
}
