// When producer ids were granted, roughly: ids are granted in ascending order, so a mark every ten minutes tells which of them are too
// young for any partition to have forgotten their producer. At most 145 marks.
import { PRODUCER_EXPIRATION_MS } from '../limits.ts';

const MARK_EVERY_MS = 600_000;

/** Never changed: a snapshot that is being taken reads it later. */
export interface ProducerIdMark {
  /** This id and later ones were granted at `grantedFromMs` or later. */
  readonly firstId: number;
  readonly grantedFromMs: number;
}

/** Notes a grant, at the end of the marks. Those that say nothing any more go. */
export function noteGrant(marks: ProducerIdMark[], producerId: number, nowMs: number): void {
  const last = marks.at(-1);
  if (last !== undefined && nowMs < last.grantedFromMs + MARK_EVERY_MS) {
    return;
  }
  const live = marks.findIndex((mark) => isYoung(mark, nowMs));
  marks.splice(0, live < 0 ? marks.length : live);
  marks.push({ firstId: producerId, grantedFromMs: nowMs });
}

/** From this id on, ids are so young that no partition can have forgotten a producer that wrote to it. */
export function firstYoungId(marks: readonly ProducerIdMark[], nowMs: number): number {
  return marks.find((mark) => isYoung(mark, nowMs))?.firstId ?? Number.MAX_SAFE_INTEGER;
}

/** Times that were given by a clock that was ahead count as now. */
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
