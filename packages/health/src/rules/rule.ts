// The interface of rules: a rule observes the facts. How long an observation must last is not its concern.
import type { Facts } from '../facts.ts';
import type { Severity, Subject } from '../model.ts';
import type { RuleId } from './catalogue.ts';

export interface Observation {
  subject: Subject;
  severity: Severity;
  cause: string;
  /** `fading`: not bad enough to be raised, not yet good enough to be resolved. */
  strength: 'bad' | 'fading';
}

export interface Rule {
  id: RuleId;
  /** How long it must be seen before it is raised, and be gone before it is resolved, in milliseconds. */
  raiseAfterMs: number;
  clearAfterMs: number;
  /** `unknown`: the facts are insufficient, so the previous state stays. */
  observe(facts: Facts): readonly Observation[] | 'unknown';
}

/** The agent if it is only one, otherwise the cluster. */
export function subjectOf(agentIds: readonly string[]): Subject {
  const [only] = agentIds;
  return agentIds.length === 1 && only !== undefined ? { agentId: only } : {};
}

/** Shortens a list for a sentence. */
export function listed(names: readonly string[], most = 5): string {
  if (names.length <= most) {
    return names.join(', ');
  }
  return `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}

/** Formats a share as `12.3%`. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)}%`;
}

/** Whole milliseconds, or seconds with one decimal. */
export function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
