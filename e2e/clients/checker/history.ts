// The events that clients record while faults strike: one JSON object per line, in the order in which the client saw them. Times are this
// machine's wall clock in milliseconds; `asked_ms` is taken before a request is sent, `at_ms` after its response has arrived.

interface OfPartition {
  /** The program and role that recorded it: `java`, `java-tail`, `raw-final`. */
  client: string;
  topic: string;
  partition: number;
}

/** A record is handed to a producer. Recorded before that, in the order of sending. */
export interface SendEvent extends OfPartition {
  t: 'send';
  /** Unique among all records of a run. */
  id: string;
  /** The record's own timestamp. */
  timestamp_ms: number;
  /** Absent when it has none. */
  key?: string;
  at_ms: number;
}

export interface AcknowledgementEvent extends OfPartition {
  t: 'ack';
  id: string;
  /** -1: the broker said that the record was already stored, without the offset. */
  offset: number;
  at_ms: number;
}

/** The producer gave up on a record, which may have been stored. */
export interface FailureEvent extends OfPartition {
  t: 'fail';
  id: string;
  /** The client's name for the error. */
  error: string;
  at_ms: number;
}

/** A producer failed permanently. */
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
  /** The value differs from the one sent under its id. */
  isDamaged?: boolean;
}

/** The broker reported a reader's position as out of range. */
export interface OutOfRangeEvent extends OfPartition {
  t: 'out-of-range';
  offset: number;
  at_ms: number;
}

/** A batch as the raw client read it. */
export interface BatchEvent extends OfPartition {
  t: 'batch';
  offset: number;
  records: number;
  storedBytes: number;
  /** Size of header and records section without compression. */
  uncompressedBytes: number;
}

export interface WatermarkEvent extends OfPartition {
  t: 'watermark';
  /** ListOffsets returns the newest end; Fetch returns one with the records, which may be slightly old. */
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
  /** -1 when there is none. */
  offset: number;
  asked_ms: number;
  at_ms: number;
}

/** DeleteRecords is about to be sent. Its outcome is unknown. */
export interface TruncationEvent {
  t: 'truncate';
  topic: string;
  partition: number;
  beforeOffset: number;
  asked_ms: number;
}

/** Start and end of a partition after all producers and faults have finished. */
export interface EndEvent {
  t: 'end';
  topic: string;
  partition: number;
  low: number;
  high: number;
}

/** The cluster's usage in the ledger once everything is folded. */
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

/** @throws when a line is not JSON */
export function parseHistory(lines: string): HistoryEvent[] {
  return lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as HistoryEvent]));
}

/** The value of a record: its id, repeated. Each client program creates and checks it by itself. */
export function recordValue(id: string, bytes: number): string {
  const unit = `${id}|`;
  return unit.repeat(Math.ceil(bytes / unit.length)).slice(0, bytes);
}
