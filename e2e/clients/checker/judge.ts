// Judges the clients' histories by Kafka's guarantees. It must not know the product; a dependency-cruiser rule enforces that.
import type { Anomaly } from './anomaly.ts';
import type { AcknowledgementEvent, FailureEvent, HistoryEvent, UsageEvent } from './history.ts';
import { Evidence, furthestStart, type Partition } from './judge-evidence.ts';
import { judgeReads } from './judge-reads.ts';

export interface Judged {
  /** Programs whose producers are idempotent. */
  idempotent: ReadonlySet<string>;
  /** Readers that start at the beginning after everything has finished, and must reach the end. */
  finalReaders: readonly string[];
  /** Topics that are deleted and recreated during the run: their records may go missing, and no client reads them. */
  churned: ReadonlySet<string>;
  /** Each batch of a churned topic holds one record, and all have the same size. */
  churnedBatchBytes: number;
  /** Topics with keys, of which the latest record stays. Each batch holds one record, and all have the same size. */
  compacted?: ReadonlySet<string>;
  compactedBatchBytes?: number;
  /** The final readers that read compacted topics. */
  keyedReaders?: readonly string[];
}

/**
 * Errors that a producer without its own retries may get, by Kafka's error code. All are retriable, and the other clients retry them.
 * -1000: the connection broke, or no response arrived in time.
 */
const RETRIABLE_CODES = new Set([-1000, 3, 5, 6, 7, 9, 13, 14, 15, 16, 19, 20, 41, 56, 78]);
/** Errors that an idempotent producer may end with: the delivery timeout of a record expired. */
const TIMED_OUT = new Set(['TimeoutException', '_MSG_TIMED_OUT']);
/** Also for a topic that is missing for a moment. */
const GONE = new Set([
  'UnknownTopicOrPartitionException',
  'UNKNOWN_TOPIC_OR_PART',
  '_UNKNOWN_TOPIC',
  '_UNKNOWN_PARTITION',
]);

/** All anomalies of a history; empty when every guarantee held. The history must be complete: see `EndEvent`. */
export function judge(history: readonly HistoryEvent[], judged: Judged): Anomaly[] {
  const { partitions } = Evidence.of(history);
  const found: Anomaly[][] = [];
  for (const partition of partitions.values()) {
    const isChurned = judged.churned.has(topicOf(partition));
    found.push(acknowledgedTwice(partition, isChurned));
    if (isChurned) {
      continue;
    }
    const isCompacted = judged.compacted?.has(topicOf(partition)) === true;
    found.push(
      judgeReads(partition, partition, isCompacted),
      isCompacted ? superseded(partition, judged) : misplaced(partition, judged),
      doubled(partition),
      reordered(partition, judged),
      incomplete(partition, judged),
      watermarksBack(partition),
      wrongLookups(partition),
    );
  }
  found.push(refused(history, judged), wronglyMetered(history, partitions, judged));
  return found.flat();
}

function topicOf({ name }: Partition): string {
  return name.slice(0, name.lastIndexOf('-'));
}

function acknowledgedTwice(partition: Partition, isChurned: boolean): Anomaly[] {
  const anomalies: Anomaly[] = [];
  const ids = new Set<string>();
  const offsets = new Map<number, string>();
  for (const { client, id, offset } of partition.acknowledgements) {
    if (ids.has(id)) {
      anomalies.push({ kind: 'acknowledged-twice', detail: `${client} heard of ${id} twice` });
    }
    ids.add(id);
    // A recreated topic starts its offsets again.
    const other = isChurned || offset < 0 ? undefined : offsets.get(offset);
    if (other !== undefined && other !== id) {
      const detail = `${partition.name}: ${other} and ${id} were both acknowledged at ${offset}`;
      anomalies.push({ kind: 'acknowledged-twice', detail });
    }
    offsets.set(offset, id);
  }
  return anomalies;
}

/** Acknowledged records are at the acknowledged offset, unless a client requested their deletion. */
function misplaced(partition: Partition, judged: Judged): Anomaly[] {
  const anomalies: Anomaly[] = [];
  const offsetOf = new Map<string, number>();
  for (const [offset, { id }] of partition.records) {
    offsetOf.set(id, offset);
  }
  const start = furthestStart(partition, Number.POSITIVE_INFINITY);
  const finals = new Map(judged.finalReaders.map((reader) => [reader, new Map<number, string>()]));
  for (const { client, offset, id } of partition.reads) {
    finals.get(client)?.set(offset, id);
  }
  for (const { client, id, offset } of partition.acknowledgements) {
    const found = offsetOf.get(id);
    if (offset < 0) {
      if (found === undefined && start === 0) {
        anomalies.push({ kind: 'lost', detail: `${client}: ${id}, acknowledged without an offset, is nowhere` });
      }
    } else if (found !== undefined && found !== offset && partition.records.get(offset)?.id !== id) {
      const detail = `${client}: ${id} was acknowledged at ${partition.name} ${offset} and is at ${found}`;
      anomalies.push({ kind: 'elsewhere', detail });
    } else if (offset >= start) {
      const missing = [...finals].filter(([, read]) => read.get(offset) !== id).map(([reader]) => reader);
      if (missing.length > 0) {
        const detail = `${client}: ${id}, acknowledged at ${partition.name} ${offset}, not read there by ${missing.join(', ')}`;
        anomalies.push({ kind: 'lost', detail });
      }
    }
  }
  return anomalies;
}

/** For each key, every reader finds in the end the last acknowledged record, or a later one; and no record has moved. */
function superseded(partition: Partition, judged: Judged): Anomaly[] {
  const anomalies: Anomaly[] = [];
  const last = new Map<string, AcknowledgementEvent>();
  for (const acknowledgement of partition.acknowledgements) {
    const { client, id, offset } = acknowledgement;
    const found = partition.records.get(offset);
    if (found !== undefined && found.id !== id) {
      const detail = `${client}: ${id} was acknowledged at ${partition.name} ${offset}, where ${found.id} is`;
      anomalies.push({ kind: 'elsewhere', detail });
    }
    const key = partition.sent.get(id)?.key ?? '';
    if (offset > (last.get(key)?.offset ?? -1)) {
      last.set(key, acknowledgement);
    }
  }
  for (const reader of judged.keyedReaders ?? []) {
    const reads = partition.reads.filter(({ client }) => client === reader);
    const newest = new Map(reads.map(({ key, offset }) => [key ?? '', offset]));
    for (const [key, { id, offset }] of last) {
      const read = newest.get(key) ?? -1;
      if (read < offset) {
        const detail = `${reader} read ${key} of ${partition.name} at ${read}, but ${id} was acknowledged at ${offset}`;
        anomalies.push({ kind: 'lost', detail });
      }
    }
  }
  return anomalies;
}

function doubled(partition: Partition): Anomaly[] {
  const anomalies: Anomaly[] = [];
  const offsetOf = new Map<string, number>();
  for (const [offset, { id }] of partition.records) {
    const other = offsetOf.get(id);
    if (other !== undefined) {
      anomalies.push({ kind: 'doubled', detail: `${id} is at ${partition.name} ${other} and ${offset}` });
    }
    offsetOf.set(id, offset);
  }
  return anomalies;
}

/**
 * An idempotent producer's records are stored in the order of sending. For other producers, a record sent after another was acknowledged is
 * stored after it.
 */
function reordered(partition: Partition, judged: Judged): Anomaly[] {
  const anomalies: Anomaly[] = [];
  const offsetOf = new Map<string, number>();
  for (const offset of [...partition.records.keys()].sort((left, right) => left - right)) {
    const id = partition.records.get(offset)?.id ?? '';
    if (!offsetOf.has(id)) {
      offsetOf.set(id, offset);
    }
  }
  const acknowledgedAt = new Map(partition.acknowledgements.map(({ id, at_ms: atMs }) => [id, atMs]));
  for (const [client, sends] of Map.groupBy(partition.sends, (send) => send.client)) {
    const stored = sends.filter(({ id }) => offsetOf.has(id));
    /** The record with the highest offset among those that must precede the current one. */
    let before: { id: string; offset: number } | undefined;
    const waiting: { id: string; offset: number; at_ms: number }[] = [];
    for (const { id, at_ms: atMs } of stored) {
      const offset = offsetOf.get(id) ?? 0;
      if (judged.idempotent.has(client)) {
        waiting.push({ id, offset, at_ms: Number.NEGATIVE_INFINITY });
      }
      for (const earlier of waiting.filter((one) => one.id !== id && one.at_ms < atMs)) {
        if (before === undefined || earlier.offset > before.offset) {
          before = earlier;
        }
      }
      for (let at = waiting.length - 1; at >= 0; at -= 1) {
        if (waiting[at]?.id !== id && (waiting[at]?.at_ms ?? 0) < atMs) {
          waiting.splice(at, 1);
        }
      }
      if (before !== undefined && offset < before.offset) {
        const detail = `${client}: ${id} at ${partition.name} ${offset} before ${before.id} at ${before.offset}`;
        anomalies.push({ kind: 'reordered', detail });
      }
      const acknowledgedMs = acknowledgedAt.get(id);
      if (!judged.idempotent.has(client) && acknowledgedMs !== undefined) {
        waiting.push({ id, offset, at_ms: acknowledgedMs });
      }
    }
  }
  return anomalies;
}

/** Every final reader reads the complete log. */
function incomplete(partition: Partition, judged: Judged): Anomaly[] {
  const { end } = partition;
  const hasHoles = judged.compacted?.has(topicOf(partition)) === true;
  if (end === undefined) {
    return [{ kind: 'incomplete', detail: `the end of ${partition.name} is not known` }];
  }
  const readers = (hasHoles ? judged.keyedReaders : judged.finalReaders) ?? [];
  return readers.flatMap((client): Anomaly[] => {
    const offsets = partition.reads.filter((read) => read.client === client).map(({ offset }) => offset);
    const [first = end.high, last = end.low - 1] = [offsets.at(0), offsets.at(-1)];
    const isWhole =
      end.low === end.high
        ? offsets.length === 0
        : // The first records of a compacted topic may be superseded; its last one always stays.
          (hasHoles || first === end.low) && last === end.high - 1;
    const read = offsets.length === 0 ? 'nothing' : `${first} to ${last}`;
    const detail = `${client} read ${read} of ${partition.name}, which has ${end.low} to ${end.high - 1}`;
    return isWhole ? [] : [{ kind: 'incomplete', detail }];
  });
}

/** A reported log end is never below one that was known before the request. For each reader, the end never decreases. */
function watermarksBack(partition: Partition): Anomaly[] {
  const anomalies: Anomaly[] = [];
  const told = new Map<string, number>();
  for (const { source, client, high } of partition.watermarks) {
    const before = told.get(client) ?? 0;
    if (source === 'fetch' && high < before) {
      const detail = `${client} was told that ${partition.name} ends at ${high}, after ${before}`;
      anomalies.push({ kind: 'watermark-back', detail });
    }
    told.set(client, high);
  }
  const listed = partition.watermarks.filter(({ source }) => source === 'list');
  const known = [
    ...listed.map(({ high, at_ms: atMs, client }) => ({ high, at_ms: atMs, what: `${client} was told ${high}` })),
    ...partition.acknowledgements.map(({ offset, at_ms: atMs, id }) => ({
      high: offset + 1,
      at_ms: atMs,
      what: `${id} was acknowledged at ${offset}`,
    })),
    ...partition.reads.map(({ offset, at_ms: atMs, client }) => ({
      high: offset + 1,
      at_ms: atMs,
      what: `${client} read ${offset}`,
    })),
  ].sort((left, right) => left.at_ms - right.at_ms);
  let at = 0;
  let highest = { high: 0, what: 'the start' };
  for (const asked of listed.sort((left, right) => left.asked_ms - right.asked_ms)) {
    for (let one = known[at]; one !== undefined && one.at_ms < asked.asked_ms; one = known[at]) {
      highest = one.high > highest.high ? one : highest;
      at += 1;
    }
    if (asked.high < highest.high) {
      const detail = `${asked.client} was told that ${partition.name} ends at ${asked.high}, after ${highest.what}`;
      anomalies.push({ kind: 'watermark-back', detail });
    }
  }
  return anomalies;
}

/** A lookup returns the first record from that time on. Records deleted or written meanwhile are not checked. */
function wrongLookups(partition: Partition): Anomaly[] {
  if (partition.lookups.length === 0) {
    return [];
  }
  const anomalies: Anomaly[] = [];
  const offsets = [...partition.records.keys()].sort((left, right) => left - right);
  const times = offsets.map((offset) => partition.records.get(offset)?.timestamp_ms ?? 0);
  const acknowledgedAt = new Map(partition.acknowledgements.map(({ offset, at_ms: atMs }) => [offset, atMs]));
  for (const { client, timestamp_ms: timestampMs, offset, asked_ms: askedMs, at_ms: atMs } of partition.lookups) {
    const start = furthestStart(partition, atMs);
    const what = `${client} asked ${partition.name} for ${timestampMs} and got ${offset}`;
    const found = partition.records.get(offset);
    if (offset >= 0 && found !== undefined && found.timestamp_ms < timestampMs) {
      anomalies.push({ kind: 'wrong-lookup', detail: `${what}, whose time is ${found.timestamp_ms}` });
    }
    for (const [index, candidate] of offsets.entries()) {
      if (offset >= 0 && candidate >= offset) {
        break;
      }
      const wasThere = (acknowledgedAt.get(candidate) ?? Number.POSITIVE_INFINITY) < askedMs;
      // If an offset exists, all lower offsets existed.
      if (candidate >= start && (times[index] ?? 0) >= timestampMs && (offset >= 0 || wasThere)) {
        anomalies.push({ kind: 'wrong-lookup', detail: `${what}; ${candidate} comes before, of ${times[index]}` });
        break;
      }
    }
  }
  return anomalies;
}

/** No producer gets an error that clients do not retry. */
function refused(history: readonly HistoryEvent[], judged: Judged): Anomaly[] {
  return history.flatMap((event): Anomaly[] => {
    if (event.t === 'fatal') {
      return [{ kind: 'refused', detail: `${event.client} cannot go on: ${event.error}` }];
    }
    if (event.t !== 'fail' || isForgiven(event, judged)) {
      return [];
    }
    return [{ kind: 'refused', detail: `${event.client}: ${event.id} failed: ${event.error}` }];
  });
}

function isForgiven({ client, topic, error }: FailureEvent, judged: Judged): boolean {
  if (!judged.idempotent.has(client)) {
    return RETRIABLE_CODES.has(Number(error));
  }
  return TIMED_OUT.has(error) || (judged.churned.has(topic) && GONE.has(error));
}

/**
 * Metered bytes equal the bytes in the log. Churned topics are gone, but their batches all have the same size: the ledger's remainder must
 * be a whole number of them, and at least the acknowledged ones.
 */
function wronglyMetered(
  history: readonly HistoryEvent[],
  partitions: ReadonlyMap<string, Partition>,
  judged: Judged,
): Anomaly[] {
  const usage = history.findLast((event): event is UsageEvent => event.t === 'usage');
  if (usage === undefined) {
    return [{ kind: 'metering', detail: 'the ledger was not read' }];
  }
  const log = { records: 0, storedBytes: 0, uncompressedBytes: 0 };
  const churned = { acknowledged: 0, sent: 0 };
  const anomalies: Anomaly[] = [];
  for (const partition of partitions.values()) {
    if (judged.churned.has(topicOf(partition))) {
      // For a record reported as already stored, it is unknown which topic of this name has it, or whether it is stored at all: to the new
      // topic, a producer of the old one seems to have skipped records.
      const stored = partition.acknowledgements.filter(({ offset }) => offset >= 0);
      churned.acknowledged += new Set(stored.map(({ id }) => id)).size;
      churned.sent += partition.sends.length;
      continue;
    }
    if (judged.compacted?.has(topicOf(partition)) === true) {
      // What compaction removed was written, so it is billed: each offset was a batch of one record.
      const records = partition.end?.high ?? 0;
      log.records += records;
      log.storedBytes += records * (judged.compactedBatchBytes ?? 0);
      log.uncompressedBytes += records * (judged.compactedBatchBytes ?? 0);
      continue;
    }
    const batches = [...new Map(partition.batches.map((batch) => [batch.offset, batch])).values()];
    batches.sort((left, right) => left.offset - right.offset);
    let next = 0;
    for (const { offset, records, storedBytes, uncompressedBytes } of batches) {
      if (offset !== next) {
        const detail = `${partition.name}: batches from ${next} to ${offset} were not read, so the bill cannot be checked`;
        anomalies.push({ kind: 'metering', detail });
      }
      next = offset + records;
      log.records += records;
      log.storedBytes += storedBytes;
      log.uncompressedBytes += uncompressedBytes;
    }
  }
  const more = usage.records - log.records;
  const expected = {
    records: usage.records,
    storedBytes: log.storedBytes + more * judged.churnedBatchBytes,
    uncompressedBytes: log.uncompressedBytes + more * judged.churnedBatchBytes,
  };
  const isOff = usage.storedBytes !== expected.storedBytes || usage.uncompressedBytes !== expected.uncompressedBytes;
  if (more < churned.acknowledged || (churned.sent === 0 && more !== 0) || isOff) {
    const detail =
      `the ledger has ${usage.records} records, ${usage.storedBytes} bytes stored, ${usage.uncompressedBytes} uncompressed; ` +
      `the log has ${log.records}, ${log.storedBytes}, ${log.uncompressedBytes}, beside ${churned.acknowledged} acknowledged ` +
      `records of deleted topics of ${judged.churnedBatchBytes} bytes`;
    anomalies.push({ kind: 'metering', detail });
  }
  return anomalies;
}
