// What a partition remembers of one idempotent producer: its epoch and its last five batches. The rules are those of Kafka's
// ProducerStateManager / ProducerAppendInfo.
import { REMEMBERED_BATCHES_PER_PRODUCER } from '../limits.ts';

/** Sequences are 31-bit and wrap from here to 0. */
const MAX_SEQUENCE = 0x7fff_ffff;

export interface RememberedBatch {
  firstSequence: number;
  lastSequence: number;
  baseOffset: number;
}

export interface ProducerEntry {
  epoch: number;
  /** Oldest first; of this epoch only. */
  batches: RememberedBatch[];
  lastSeenMs: number;
}

export type SequenceVerdict =
  | { kind: 'append' }
  | { kind: 'duplicate'; baseOffset: number }
  | { kind: 'out-of-order' }
  | { kind: 'fenced' };

const APPEND: SequenceVerdict = { kind: 'append' };
const OUT_OF_ORDER: SequenceVerdict = { kind: 'out-of-order' };
const FENCED: SequenceVerdict = { kind: 'fenced' };

/** The sequence of the last record of a batch. */
export function lastSequenceOf(firstSequence: number, records: number): number {
  const last = firstSequence + records - 1;
  return last > MAX_SEQUENCE ? last - MAX_SEQUENCE - 1 : last;
}

/**
 * Judges a batch against what is remembered. A producer that is not remembered may start anywhere: its state may have aged away
 * with its records.
 */
export function judgeSequence(
  entry: ProducerEntry | undefined,
  epoch: number,
  firstSequence: number,
  records: number,
): SequenceVerdict {
  if (entry === undefined) {
    return APPEND;
  }
  if (epoch < entry.epoch) {
    return FENCED;
  }
  if (epoch > entry.epoch) {
    return firstSequence === 0 ? APPEND : OUT_OF_ORDER;
  }
  const lastSequence = lastSequenceOf(firstSequence, records);
  for (const batch of entry.batches) {
    if (batch.firstSequence === firstSequence && batch.lastSequence === lastSequence) {
      return { kind: 'duplicate', baseOffset: batch.baseOffset };
    }
  }
  const last = entry.batches.at(-1);
  if (last === undefined) {
    return APPEND;
  }
  const expected = last.lastSequence === MAX_SEQUENCE ? 0 : last.lastSequence + 1;
  return firstSequence === expected ? APPEND : OUT_OF_ORDER;
}

/** Remembers an appended batch; `judgeSequence` said `append`. Returns the entry to keep. */
export function rememberBatch(
  entry: ProducerEntry | undefined,
  epoch: number,
  firstSequence: number,
  records: number,
  baseOffset: number,
  nowMs: number,
): ProducerEntry {
  const lastSequence = lastSequenceOf(firstSequence, records);
  if (entry === undefined || entry.epoch !== epoch) {
    return { epoch, batches: [{ firstSequence, lastSequence, baseOffset }], lastSeenMs: nowMs };
  }
  entry.lastSeenMs = nowMs;
  // The place of the oldest is used again: this is done for every batch.
  const oldest = entry.batches.length < REMEMBERED_BATCHES_PER_PRODUCER ? undefined : entry.batches.shift();
  if (oldest === undefined) {
    entry.batches.push({ firstSequence, lastSequence, baseOffset });
  } else {
    oldest.firstSequence = firstSequence;
    oldest.lastSequence = lastSequence;
    oldest.baseOffset = baseOffset;
    entry.batches.push(oldest);
  }
  return entry;
}
