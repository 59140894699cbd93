// What a rule is: it looks at the facts and tells what it sees. How long that has to last is the machine's business, not the rule's.
import type { Facts } from '../facts.ts';
import type { Severity, Subject } from '../model.ts';
import type { RuleId } from './catalogue.ts';

export interface Observation {
  subject: Subject;
  severity: Severity;
  cause: string;
  /** `fading`: not bad enough to be raised, not yet good enough to be over. */
  strength: 'bad' | 'fading';
}

export interface Rule {
  id: RuleId;
  /** How long it has to be seen before it is told, and not be seen before it is over, milliseconds. */
  raiseAfter_ms: number;
  clearAfter_ms: number;
  /** `unknown`: the facts do not say; what was, stays. */
  observe(facts: Facts): readonly Observation[] | 'unknown';
}

/** Cuts a list for a sentence. */
export function listed(names: readonly string[], most = 5): string {
  if (names.length <= most) return names.join(', ');
  return `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}

/** `12.3%`. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`;
}

/** Whole milliseconds, or seconds with one decimal. */
export function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
