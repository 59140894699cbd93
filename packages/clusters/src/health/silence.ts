// A period in which alerts are not sent.
import { type RuleId, titleOf } from '@penstock/health';

export interface Silence {
  id: string;
  /** Null for every rule. */
  rule: string | null;
  reason: string;
  until: Date;
  createdBy: string;
  createdAt: Date;
}

export const silenceColumns = {
  id: true,
  rule: true,
  reason: true,
  until: true,
  createdBy: true,
  createdAt: true,
} as const;

/** The condition for silences that are active at a time. */
export function holdingAt(now: Date) {
  return { until: { gt: now }, endedAt: null } as const;
}

/** A silenced rule in the text of an event. */
export function ruleText(rule: string | null): string {
  return rule === null ? 'all rules' : `“${titleOf(rule)}”`;
}

/** Whether one of these silences covers a rule. */
export function isSilenced(silences: readonly Pick<Silence, 'rule'>[], rule: RuleId | string): boolean {
  return silences.some((silence) => silence.rule === null || silence.rule === rule);
}
