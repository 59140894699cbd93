// What producers were promised, against what a recovered cluster shows. A naive model: every batch by name, every log as a list.
import { promise } from './audit-failure.ts';

/** A batch as its producer knows it. Sending it again does not make it another one. */
export interface Payload {
  name: string;
  topic: string;
  partition: number;
  records: number;
  bytes: number;
  uncompressedBytes: number;
  /** Orders the batches of one idempotent producer in one partition; null for plain ones. */
  order: { producer: string; number: number } | null;
}

/** A batch as it lies in a file. */
export interface Placed {
  payload: Payload;
  position: number;
}

export interface PartitionSight {
  topic: string;
  partition: number;
  logStartOffset: number;
  highWatermark: number;
  runs: { file: string; position: number; bytes: number; baseOffset: number; records: number }[];
}

interface PartitionPromises {
  /** Acknowledged batches with their offsets. */
  acknowledged: Map<string, { payload: Payload; offset: number }>;
  /** The log start is at least this (truncation was acknowledged) and at most that (it was asked for). */
  truncatedTo: number;
  mayTruncateTo: number;
}

export class LogAuditor {
  readonly #files = new Map<string, readonly Placed[]>();
  readonly #payloads = new Map<string, { payload: Payload; openAttempts: number; stored: boolean }>();
  readonly #partitions = new Map<string, PartitionPromises>();
  readonly #offsetByPayload = new Map<string, number>();

  /** A file was written, and its commit is being asked for (again). */
  attempted(file: string, placed: readonly Placed[]): void {
    this.#files.set(file, placed);
    for (const { payload } of placed) {
      const known = this.#payloads.get(payload.name) ?? { payload, openAttempts: 0, stored: false };
      known.openAttempts += 1;
      this.#payloads.set(payload.name, known);
    }
  }

  /** The object is gone: nothing may refer to it any more. */
  deleted(file: string): void {
    this.#files.delete(file);
  }

  /** One attempt for one batch was answered: with its offset, or null for a refusal. */
  answered(payload: Payload, offset: number | null): void {
    const known = this.#payloads.get(payload.name);
    if (known === undefined) {
      return;
    }
    known.openAttempts -= 1;
    if (offset === null) {
      return;
    }
    known.stored = true;
    const { acknowledged } = this.#promises(payload.topic, payload.partition);
    const before = acknowledged.get(payload.name);
    promise(before === undefined || before.offset === offset, () => {
      return `${payload.name} was acknowledged at ${before?.offset}, then at ${offset}`;
    });
    this.#settle(payload, offset);
    acknowledged.set(payload.name, { payload, offset });
  }

  truncationAsked(topic: string, partition: number, offset: number): void {
    const promises = this.#promises(topic, partition);
    promises.mayTruncateTo = Math.max(promises.mayTruncateTo, offset);
  }

  truncationAcknowledged(topic: string, partition: number, offset: number): void {
    const promises = this.#promises(topic, partition);
    promises.truncatedTo = Math.max(promises.truncatedTo, offset);
  }

  /** Bytes that must have been metered, and how many more may have been: those of batches nobody knows the fate of. */
  meterBounds(): { least: bigint; most: bigint } {
    let least = 0n;
    let open = 0n;
    for (const { payload, openAttempts, stored } of this.#payloads.values()) {
      if (stored) {
        least += BigInt(payload.uncompressedBytes);
      } else if (openAttempts > 0) {
        open += BigInt(payload.uncompressedBytes);
      }
    }
    return { least, most: least + open };
  }

  inspect(sight: PartitionSight): void {
    const name = `${sight.topic}-${sight.partition}`;
    const promises = this.#promises(sight.topic, sight.partition);
    const { logStartOffset, highWatermark } = sight;
    promise(logStartOffset >= promises.truncatedTo && logStartOffset <= promises.mayTruncateTo, () => {
      return `${name}: the log starts at ${logStartOffset}, not from ${promises.truncatedTo} to ${promises.mayTruncateTo}`;
    });
    const seen = this.#readLog(name, sight);
    for (const { payload, offset } of promises.acknowledged.values()) {
      promise(offset + payload.records <= highWatermark, () => {
        return `${name}: ${payload.name} was acknowledged at ${offset}, beyond the high watermark ${highWatermark}`;
      });
      promise(offset + payload.records <= logStartOffset || seen.get(payload.name) === offset, () => {
        return `${name}: acknowledged ${payload.name} is lost: promised at ${offset}, found at ${seen.get(payload.name)}`;
      });
    }
  }

  /** The offsets of all batches in a log, read run by run from the files. */
  #readLog(name: string, sight: PartitionSight): Map<string, number> {
    const seen = new Map<string, number>();
    const lastNumber = new Map<string, number>();
    let next = sight.runs[0]?.baseOffset ?? sight.highWatermark;
    promise(next <= sight.logStartOffset, () => `${name}: records from ${sight.logStartOffset} to ${next} are missing`);
    for (const run of sight.runs) {
      promise(run.baseOffset === next, () => `${name}: a run starts at ${run.baseOffset} instead of ${next}`);
      let position = run.position;
      for (const { payload, position: start } of this.#files.get(run.file) ?? []) {
        if (start < run.position || start >= run.position + run.bytes) {
          continue;
        }
        promise(start === position && payload.topic === sight.topic && payload.partition === sight.partition, () => {
          return `${name}: the run at ${run.baseOffset} holds bytes of ${payload.name} at ${start}`;
        });
        promise(!seen.has(payload.name), () => `${name}: ${payload.name} is stored twice`);
        seen.set(payload.name, next);
        this.#settle(payload, next);
        const known = this.#payloads.get(payload.name);
        if (known !== undefined) {
          known.stored = true;
        }
        if (payload.order !== null) {
          const { producer, number } = payload.order;
          const before = lastNumber.get(producer);
          promise(before === undefined || number === before + 1, () => {
            return `${name}: batch ${number} of ${producer} comes after its batch ${before}`;
          });
          lastNumber.set(producer, number);
        }
        position += payload.bytes;
        next += payload.records;
      }
      promise(position === run.position + run.bytes && next === run.baseOffset + run.records, () => {
        return `${name}: the run at ${run.baseOffset} is not made of whole batches of its file`;
      });
    }
    promise(next === sight.highWatermark, () => `${name}: records from ${next} to ${sight.highWatermark} are missing`);
    return seen;
  }

  /** A batch has one offset for ever. */
  #settle(payload: Payload, offset: number): void {
    const before = this.#offsetByPayload.get(payload.name) ?? offset;
    promise(before === offset, () => `${payload.name} was at ${before}, now it is at ${offset}`);
    this.#offsetByPayload.set(payload.name, offset);
  }

  #promises(topic: string, partition: number): PartitionPromises {
    const key = `${topic}-${partition}`;
    const promises = this.#partitions.get(key) ?? { acknowledged: new Map(), truncatedTo: 0, mayTruncateTo: 0 };
    this.#partitions.set(key, promises);
    return promises;
  }
}
