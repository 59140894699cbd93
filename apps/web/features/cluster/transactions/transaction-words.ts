// How the state of a transactional producer is shown. Pure.
import type { Tone } from '@penstock/ui';
import { formatDurationMs, SECOND_MS } from '@penstock/units';

interface Shown {
  state: string;
  startedAtMs: number | null;
  timeoutMs: number;
}

/** An open transaction is a warning from this share of its timeout on: the owner aborts it soon. */
const LATE_SHARE = 0.5;

const STATES: Readonly<Record<string, { tone: Tone; label: string }>> = {
  Empty: { tone: 'neutral', label: 'None yet' },
  CompleteCommit: { tone: 'ok', label: 'Committed' },
  CompleteAbort: { tone: 'neutral', label: 'Aborted' },
};

export function stateBadge({ state, startedAtMs, timeoutMs }: Shown, nowMs: number): { tone: Tone; label: string } {
  if (startedAtMs === null) {
    return STATES[state] ?? { tone: 'neutral', label: state };
  }
  const isLate = nowMs - startedAtMs > timeoutMs * LATE_SHARE;
  return { tone: isLate ? 'warn' : 'accent', label: 'Open' };
}

/** For how long it has been open, in whole seconds; a dash when none is. */
export function openText(startedAtMs: number | null, nowMs: number): string {
  if (startedAtMs === null) {
    return '–';
  }
  const seconds = Math.max(0, Math.floor((nowMs - startedAtMs) / SECOND_MS));
  return seconds === 0 ? '0 s' : formatDurationMs(seconds * SECOND_MS);
}

/** By topic: “0, 1, 4”. */
export function partitionsByTopic(
  partitions: readonly { topic: string; partition: number }[],
): { topic: string; partitions: string }[] {
  const byTopic = Map.groupBy(partitions, ({ topic }) => topic);
  return [...byTopic].map(([topic, own]) => ({
    topic,
    partitions: rangesText(own.map(({ partition }) => partition)),
  }));
}

/** Ascending numbers with runs shortened: `0–3, 7`. */
export function rangesText(numbers: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const number of numbers.toSorted((left, right) => left - right)) {
    const open = ranges.at(-1);
    if (open !== undefined && number === open.last + 1) {
      open.last = number;
    } else {
      ranges.push({ first: number, last: number });
    }
  }
  return ranges
    .map(({ first, last }) => (first === last ? `${first}` : `${first}${last === first + 1 ? ', ' : '–'}${last}`))
    .join(', ');
}
