// Roughly when producer ids were granted. Ids are granted in ascending order, so one mark every ten minutes shows which of them are too
// recent for any partition to have removed their producer. At most 145 marks.
import { PRODUCER_EXPIRATION_MS } from '../model/limits.ts';

const MARK_EVERY_MS = 600_000;

/** Immutable, because a snapshot in progress may read it later. */
export interface ProducerIdMark {
  /** This id and later ones were granted at `grantedFromMs` or later. */
  readonly firstId: number;
  readonly grantedFromMs: number;
}

/** Records a grant at the end of the marks, and removes those that are no longer needed. */
export function noteGrant(marks: ProducerIdMark[], producerId: number, nowMs: number): void {
  const last = marks.at(-1);
  if (last !== undefined && nowMs < last.grantedFromMs + MARK_EVERY_MS) {
    return;
  }
  const live = marks.findIndex((mark) => isYoung(mark, nowMs));
  marks.splice(0, live < 0 ? marks.length : live);
  marks.push({ firstId: producerId, grantedFromMs: nowMs });
}

/** From this id on, ids are so recent that no partition can have removed a producer that wrote to it. */
export function firstYoungId(marks: readonly ProducerIdMark[], nowMs: number): number {
  return marks.find((mark) => isYoung(mark, nowMs))?.firstId ?? Number.MAX_SAFE_INTEGER;
}

/** Times from a clock that was ahead count as now. */
export function setMarksBack(marks: ProducerIdMark[], nowMs: number): void {
  for (const [at, mark] of marks.entries()) {
    if (mark.grantedFromMs > nowMs) {
      marks[at] = { ...mark, grantedFromMs: nowMs };
    }
  }
}

function isYoung({ grantedFromMs }: ProducerIdMark, nowMs: number): boolean {
  return grantedFromMs > nowMs - PRODUCER_EXPIRATION_MS;
}
