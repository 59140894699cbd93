// What clients write down while faults strike: one JSON object a line, in the order in which the client saw it. Times are this machine's wall
// clock in milliseconds; `asked_ms` is taken before a request is sent, `at_ms` after its answer has come.

interface OfPartition {
  /** Which program wrote it down, and as what: `java`, `java-tail`, `raw-final`. */
  client: string;
  topic: string;
  partition: number;
}

/** A record is handed to a producer. Written down before that, in the order of sending. */
export interface SendEvent extends OfPartition {
  t: 'send';
  /** Unique among all records of a run. */
  id: string;
  /** The record's own. */
  timestamp_ms: number;
  /** Absent: it has none. */
  key?: string;
  at_ms: number;
}

export interface AcknowledgementEvent extends OfPartition {
  t: 'ack';
  id: string;
  /** -1: the client was told that the record was stored before, and not where. */
  offset: number;
  at_ms: number;
}

/** The producer gave a record up: it may have been stored. */
export interface FailureEvent extends OfPartition {
  t: 'fail';
  id: string;
  /** As the client names it. */
  error: string;
  at_ms: number;
}

/** A producer says that it can go on no more. */
export interface FatalEvent {
  t: 'fatal';
  client: string;
  error: string;
  at_ms: number;
}

export interface ReadEvent extends OfPartition {
  t: 'read';
  offset: number;
  id: string;
  timestamp_ms: number;
  key?: string;
  at_ms: number;
  /** The value is not the one that was sent under its id. */
  isDamaged?: boolean;
}

/** The broker told a reader that its position lies outside of the log. */
export interface OutOfRangeEvent extends OfPartition {
  t: 'out-of-range';
  offset: number;
  at_ms: number;
}

/** A batch as it was read, by the raw client. */
export interface BatchEvent extends OfPartition {
  t: 'batch';
  offset: number;
  records: number;
  storedBytes: number;
  /** Header and records section as they are without compression. */
  uncompressedBytes: number;
}

export interface WatermarkEvent extends OfPartition {
  t: 'watermark';
  /** ListOffsets is asked for the newest end; Fetch tells one beside the records, which may be a moment old. */
  source: 'list' | 'fetch';
  /** End of the log: the offset of the next record. */
  high: number;
  asked_ms: number;
  at_ms: number;
}

/** The first record whose timestamp is at or after `timestamp_ms`. */
export interface LookupEvent extends OfPartition {
  t: 'lookup';
  timestamp_ms: number;
  /** -1: there is none. */
  offset: number;
  asked_ms: number;
  at_ms: number;
}

/** DeleteRecords is about to be asked for. Whether it was carried out is not known. */
export interface TruncationEvent {
  t: 'truncate';
  topic: string;
  partition: number;
  beforeOffset: number;
  asked_ms: number;
}

/** Where a partition begins and ends when all producers and faults are over. */
export interface EndEvent {
  t: 'end';
  topic: string;
  partition: number;
  low: number;
  high: number;
}

/** What the ledger says of the cluster once everything is folded. */
export interface UsageEvent {
  t: 'usage';
  records: number;
  storedBytes: number;
  uncompressedBytes: number;
}

export type HistoryEvent =
  | SendEvent
  | AcknowledgementEvent
  | FailureEvent
  | FatalEvent
  | ReadEvent
  | OutOfRangeEvent
  | BatchEvent
  | WatermarkEvent
  | LookupEvent
  | TruncationEvent
  | EndEvent
  | UsageEvent;

/** @throws when a line is no JSON */
export function parseHistory(lines: string): HistoryEvent[] {
  return lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as HistoryEvent]));
}

/** The value of a record: its id, over and over. Each client program makes and checks it by itself. */
export function recordValue(id: string, bytes: number): string {
  const unit = `${id}|`;
  return unit.repeat(Math.ceil(bytes / unit.length)).slice(0, bytes);
}
