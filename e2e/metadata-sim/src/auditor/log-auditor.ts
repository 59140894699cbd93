// Compares what producers were promised with what readers find. A naive model: every batch by name, every log as a list.
import { mustHold } from './audit-failure.ts';

/** A batch as its producer knows it. Resending it does not make it another batch. */
export interface Payload {
  name: string;
  topic: string;
  partition: number;
  /** The key of all its records. */
  key: string;
  records: number;
  bytes: number;
  uncompressedBytes: number;
  timestampMs: number;
  /** Orders the batches of one idempotent producer in one partition; null for batches of other producers. */
  order: { producer: string; number: number } | null;
}

/** The end of a transaction, as a control batch tells it. */
export interface PlacedMarker {
  producerId: number;
  producerEpoch: number;
  isCommit: boolean;
  timestampMs: number;
}

/**
 * A batch in a file. Without a payload it is a control batch, or one whose records compaction has removed, so that it only spans their
 * offsets.
 */
export interface Placed {
  payload: Payload | null;
  marker?: PlacedMarker;
  /** From when on compaction removes the control batch. */
  deleteHorizonMs?: number;
  /** The producer of the batch's transaction; absent once compaction has removed it. */
  producerId?: number;
  records: number;
  bytes: number;
  position: number;
}

/** Consecutive records of a partition, where the service says they are. */
export interface FoundRun {
  file: string;
  position: number;
  bytes: number;
  baseOffset: number;
  records: number;
}

export interface Bounds {
  logStartOffset: number;
  highWatermark: number;
}

interface PartitionPromises {
  acknowledged: Map<string, { payload: Payload; offset: number }>;
  /** A truncation up to here was requested: the log starts here at most. */
  mayTruncateTo: number;
  /** The minimum that every later read must show: acknowledged records, and those shown by a completed read. */
  shown: Bounds;
  /** Whether retention may remove records. */
  retention: boolean;
  /** Whether a batch may be removed once there is a later one with its key. */
  compaction: boolean;
  /** Whether a compacted batch may have been part of an aborted transaction: the auditor of transactions knows. */
  transactions: boolean;
}

interface Known {
  payload: Payload;
  offset: number | undefined;
}

export class LogAuditor {
  readonly #files = new Map<string, readonly Placed[]>();
  /** The objects that contain each batch. */
  readonly #filesOf = new Map<string, Set<string>>();
  readonly #payloads = new Map<string, Known>();
  readonly #partitions = new Map<string, PartitionPromises>();
  readonly #payloadAt = new Map<string, string>();
  readonly #refused = new Set<string>();
  readonly #doomedTopics = new Set<string>();

  /** A file is being written: from now on its batches may be stored. */
  attempted(file: string, placed: readonly Placed[]): void {
    this.#files.set(file, placed);
    for (const { payload } of placed) {
      if (payload === null) {
        continue;
      }
      const files = this.#filesOf.get(payload.name) ?? new Set();
      this.#filesOf.set(payload.name, files.add(file));
      if (!this.#payloads.has(payload.name)) {
        this.#payloads.set(payload.name, { payload, offset: undefined });
      }
    }
  }

  acknowledged(payload: Payload, offset: number): void {
    const promises = this.#promises(payload.topic, payload.partition);
    this.#settle(payload, offset);
    mustHold(
      (this.#filesOf.get(payload.name)?.size ?? 0) > 0 ||
        offset + payload.records <= promises.mayTruncateTo ||
        promises.retention ||
        this.#mayBeCompacted(payload, offset) ||
        this.#doomedTopics.has(payload.topic),
      () => {
        return `${payload.name} was acknowledged at ${offset}, but no object holds it`;
      },
    );
    promises.acknowledged.set(payload.name, { payload, offset });
    promises.shown.highWatermark = Math.max(promises.shown.highWatermark, offset + payload.records);
  }

  /** The only attempt for a batch was permanently refused: it is not stored. */
  refused(payload: Payload): void {
    this.#refused.add(payload.name);
    const offset = this.#payloads.get(payload.name)?.offset;
    mustHold(offset === undefined, () => `${payload.name} lies at ${offset}, and it was refused`);
  }

  get acknowledgedBatches(): number {
    let count = 0;
    for (const { acknowledged } of this.#partitions.values()) {
      count += acknowledged.size;
    }
    return count;
  }

  topicDeletionAsked(topic: string): void {
    this.#doomedTopics.add(topic);
  }

  retentionAsked(topic: string, partitions: number): void {
    for (let partition = 0; partition < partitions; partition += 1) {
      this.#promises(topic, partition).retention = true;
    }
  }

  /**
   * From now on its batches may be compacted, even after the policy is changed back, because a job may be in progress.
   * @param transactions whether those of aborted transactions may be removed
   */
  compactionAsked(topic: string, partitions: number, transactions = false): void {
    for (let partition = 0; partition < partitions; partition += 1) {
      Object.assign(this.#promises(topic, partition), { compaction: true, transactions });
    }
  }

  truncationAsked(topic: string, partition: number, offset: number): void {
    const promises = this.#promises(topic, partition);
    promises.mayTruncateTo = Math.max(promises.mayTruncateTo, offset);
  }

  truncationAcknowledged(topic: string, partition: number, offset: number): void {
    const promises = this.#promises(topic, partition);
    promises.shown.logStartOffset = Math.max(promises.shown.logStartOffset, offset);
  }

  /** The answer says that the offset was beyond the high watermark. */
  truncationRefused(topic: string, partition: number, offset: number): void {
    mustHold(
      false,
      () => `${topic}-${partition}: ${offset} had been shown, and truncation to it was refused as beyond the log`,
    );
  }

  /** The highest end of the log that any read has shown so far. */
  shownHighWatermark(topic: string, partition: number): number {
    return this.#promises(topic, partition).shown.highWatermark;
  }

  /** An object is deleted. It must contain nothing that was acknowledged and that no client asked to remove. */
  deleted(file: string): void {
    for (const { payload } of this.#files.get(file) ?? []) {
      if (payload === null) {
        continue;
      }
      const files = this.#filesOf.get(payload.name);
      files?.delete(file);
      const { mayTruncateTo, retention, acknowledged } = this.#promises(payload.topic, payload.partition);
      const stored = acknowledged.get(payload.name);
      if (stored === undefined || retention || this.#doomedTopics.has(payload.topic)) {
        continue;
      }
      // A repeated batch is in several files, and one of them is enough.
      const isElsewhere = (files?.size ?? 0) > 0 || this.#mayBeCompacted(payload, stored.offset);
      mustHold(isElsewhere || stored.offset + payload.records <= mayTruncateTo, () => {
        return `the only object that holds ${payload.name}, acknowledged at ${stored.offset}, was deleted`;
      });
    }
  }

  /** A read of a partition's bounds starts. Pass the result to the returned function. */
  readStarted(topic: string, partition: number): (found: Bounds) => void {
    const { shown } = this.#promises(topic, partition);
    const least = { ...shown };
    return ({ logStartOffset, highWatermark }) => {
      const name = `${topic}-${partition}`;
      mustHold(highWatermark >= least.highWatermark, () => {
        return `${name}: a read found the high watermark at ${highWatermark}, and ${least.highWatermark} had been shown before`;
      });
      mustHold(logStartOffset >= least.logStartOffset, () => {
        return `${name}: a read found the log start at ${logStartOffset}, and ${least.logStartOffset} had been shown before`;
      });
      shown.highWatermark = Math.max(shown.highWatermark, highWatermark);
      shown.logStartOffset = Math.max(shown.logStartOffset, logStartOffset);
      this.#checkStart(name, this.#promises(topic, partition), logStartOffset);
    };
  }

  /** A reader found these batches in a run. */
  found(
    topic: string,
    partition: number,
    run: FoundRun,
    batches: readonly Placed[],
  ): { payload: Payload; offset: number }[] {
    const name = `${topic}-${partition}`;
    let position = run.position;
    let next = run.baseOffset;
    const read: { payload: Payload; offset: number }[] = [];
    for (const { payload, marker, records, bytes, position: start } of batches) {
      const isWhere = start === position && (payload === null || isOf(payload, topic, partition));
      const isEmpty = payload === null && marker === undefined;
      mustHold(isWhere && (!isEmpty || this.#promises(topic, partition).compaction), () => {
        return `${name}: the run at ${run.baseOffset} holds bytes of ${payload?.name ?? 'nothing'} at ${start}`;
      });
      if (marker !== undefined) {
        this.foundMarker(topic, partition, next, marker);
      }
      if (payload !== null) {
        this.#settle(payload, next);
        read.push({ payload, offset: next });
      }
      position += bytes;
      next += records;
    }
    mustHold(position === run.position + run.bytes && next === run.baseOffset + run.records, () => {
      return `${name}: the run at ${run.baseOffset} is not made of whole batches of its file`;
    });
    return read;
  }

  /** A reader found the end of a transaction: in the index or, once it is merged, as a control batch. It is the same one wherever it lies. */
  foundMarker(topic: string, partition: number, offset: number, marker: PlacedMarker): void {
    const place = `${topic}-${partition}@${offset}`;
    const holder = `the end of producer ${marker.producerId} at ${JSON.stringify(marker)}`;
    const before = this.#payloadAt.get(place) ?? holder;
    mustHold(before === holder, () => `${place} held ${before}, now it holds ${holder}`);
    this.#payloadAt.set(place, holder);
  }

  /** A reader was sent to an object that does not exist, although it could not have been deleted yet. */
  missing(topic: string, partition: number, run: FoundRun): void {
    mustHold(this.#doomedTopics.has(topic), () => {
      return `${topic}-${partition}: records from ${run.baseOffset} on lie in ${run.file}, which is gone`;
    });
  }

  /** A reader that wants this offset next got this run. */
  reached(topic: string, partition: number, run: FoundRun, next: number): void {
    mustHold(run.baseOffset <= next && next < run.baseOffset + run.records, () => {
      return `${topic}-${partition}: a reader at ${next} was given the run from ${run.baseOffset} on`;
    });
  }

  /** Checks the whole log at the end. */
  inspect(
    topic: string,
    partition: number,
    bounds: Bounds,
    log: readonly { payload: Payload; offset: number }[],
  ): void {
    const name = `${topic}-${partition}`;
    const promises = this.#promises(topic, partition);
    const { logStartOffset, highWatermark } = bounds;
    this.readStarted(topic, partition)(bounds);
    const seen = new Set<string>();
    const lastOfKey = new Map<string, number>();
    const lastNumber = new Map<string, number>();
    const { compaction } = promises;
    let next = log[0]?.offset ?? highWatermark;
    mustHold(next <= logStartOffset || log.length === 0 || compaction, () => {
      return `${name}: records from ${logStartOffset} to ${next} are missing`;
    });
    for (const { payload, offset } of log) {
      const isInOrder = compaction ? offset >= next : offset === next;
      mustHold(isInOrder, () => `${name}: a batch lies at ${offset} instead of ${next}`);
      lastOfKey.set(payload.key, offset);
      next = offset + payload.records;
      mustHold(!seen.has(payload.name), () => `${name}: ${payload.name} is stored twice`);
      seen.add(payload.name);
      if (payload.order !== null) {
        const { producer, number } = payload.order;
        const before = lastNumber.get(producer) ?? -1;
        mustHold(number > before, () => `${name}: batch ${number} of ${producer} comes after its batch ${before}`);
        lastNumber.set(producer, number);
      }
    }
    // The newest batch is always the latest of its key.
    mustHold(next === highWatermark, () => `${name}: records from ${next} to ${highWatermark} are missing`);
    for (const { payload, offset } of promises.acknowledged.values()) {
      const isReplaced = compaction && (lastOfKey.get(payload.key) ?? -1) > offset;
      mustHold(offset + payload.records <= logStartOffset || seen.has(payload.name) || isReplaced, () => {
        return `${name}: ${payload.name}, acknowledged at ${offset}, is lost`;
      });
    }
  }

  /**
   * The bytes that must have been metered, and the most that may have been. Call it after `inspect` of every partition. By then everything
   * in a log that was never truncated has been seen; what was not seen there was never stored.
   */
  meterBounds(): { least: bigint; most: bigint } {
    let least = 0n;
    let open = 0n;
    for (const { payload, offset } of this.#payloads.values()) {
      const { mayTruncateTo, retention, compaction } = this.#promises(payload.topic, payload.partition);
      if (offset !== undefined) {
        least += BigInt(payload.uncompressedBytes);
      } else if (mayTruncateTo > 0 || retention || compaction || this.#doomedTopics.has(payload.topic)) {
        open += BigInt(payload.uncompressedBytes);
      }
    }
    return { least, most: least + open };
  }

  #checkStart(name: string, { mayTruncateTo, retention }: PartitionPromises, logStartOffset: number): void {
    mustHold(retention || logStartOffset <= mayTruncateTo, () => {
      return `${name}: the log starts at ${logStartOffset}, and nobody asked to drop more than what lies before ${mayTruncateTo}`;
    });
  }

  /** Whether a later batch of its key may have been written. */
  #mayBeCompacted({ name, topic, partition, key }: Payload, offset: number): boolean {
    const { compaction, transactions } = this.#promises(topic, partition);
    if (!compaction || transactions) {
      return compaction;
    }
    for (const { payload, offset: at = Number.POSITIVE_INFINITY } of this.#payloads.values()) {
      if (payload.name !== name && payload.key === key && isOf(payload, topic, partition) && at > offset) {
        return true;
      }
    }
    return false;
  }

  /** A batch has one offset for ever, and an offset has one batch. */
  #settle(payload: Payload, offset: number): void {
    const known = this.#payloads.get(payload.name) ?? { payload, offset: undefined };
    this.#payloads.set(payload.name, known);
    mustHold(known.offset === undefined || known.offset === offset, () => {
      return `${payload.name} was at ${known.offset}, now it is at ${offset}`;
    });
    mustHold(!this.#refused.has(payload.name), () => `${payload.name} lies at ${offset}, and it was refused`);
    known.offset = offset;
    const place = `${payload.topic}-${payload.partition}@${offset}`;
    const holder = this.#payloadAt.get(place) ?? payload.name;
    mustHold(holder === payload.name, () => `${place} held ${holder}, now it holds ${payload.name}`);
    this.#payloadAt.set(place, payload.name);
  }

  #promises(topic: string, partition: number): PartitionPromises {
    const key = `${topic}-${partition}`;
    let promises = this.#partitions.get(key);
    if (promises === undefined) {
      promises = {
        acknowledged: new Map(),
        mayTruncateTo: 0,
        shown: { logStartOffset: 0, highWatermark: 0 },
        retention: false,
        compaction: false,
        transactions: false,
      };
      this.#partitions.set(key, promises);
    }
    return promises;
  }
}

function isOf(payload: Payload, topic: string, partition: number): boolean {
  return payload.topic === topic && payload.partition === partition;
}
