// Turns what rules observe into findings: a condition is raised once it has lasted, and resolved once it has been gone
// long enough.
import type { Facts } from './facts.ts';
import type { Condition, Finding, Subject } from './model.ts';
import type { RuleId } from './rules/catalogue.ts';
import type { Observation, Rule } from './rules/rule.ts';

/** More findings per rule are cut off: if a thousand agents are affected, the first ones are enough. */
const MOST_PER_RULE = 20;

/** Rules about what all agents share: it is one finding, however many agents see it. */
const sharedRules: ReadonlySet<RuleId> = new Set([
  'object-store.failing',
  'bucket.permission',
  'bucket.lifecycle-rule',
  'landing.fallback',
  'landing.failing',
]);

/** Rule and subject, e.g. `zone.without-agent zone=b`. */
export function keyOf(rule: RuleId, subject: Subject): string {
  const parts = sharedRules.has(rule) ? [] : Object.entries(subject);
  return [rule, ...parts.map(([name, value]) => `${name}=${value}`)].join(' ');
}

/** The conditions of one rule after a check. */
export function follow(rule: Rule, before: readonly Condition[], facts: Facts): Condition[] {
  const own = before.filter(({ finding }) => finding.rule === rule.id);
  const observed = rule.observe(facts);
  if (observed === 'unknown') {
    return own;
  }
  const seen = new Map(
    observed.slice(0, MOST_PER_RULE).map((observation) => [keyOf(rule.id, observation.subject), observation]),
  );
  const known = own.flatMap((condition) => next(rule, condition, seen.get(condition.finding.key), facts.nowMs));
  const knownKeys = new Set(known.map(({ finding }) => finding.key));
  const fresh = [...seen].flatMap(([key, observation]) =>
    knownKeys.has(key) || observation.strength === 'fading' ? [] : [begin(rule, key, observation, facts.nowMs)],
  );
  return [...known, ...fresh];
}

function begin(rule: Rule, key: string, observation: Observation, nowMs: number): Condition {
  return { finding: findingOf(rule, key, observation, nowMs), isOpen: rule.raiseAfterMs === 0, goodSinceMs: null };
}

function next(rule: Rule, condition: Condition, observation: Observation | undefined, nowMs: number): Condition[] {
  const { finding, isOpen } = condition;
  if (observation?.strength === 'bad') {
    const isLasting = nowMs - finding.sinceMs >= rule.raiseAfterMs;
    const updated = findingOf(rule, finding.key, observation, finding.sinceMs);
    return [{ finding: updated, isOpen: isOpen || isLasting, goodSinceMs: null }];
  }
  // A condition that was never raised is dropped as soon as it is gone.
  if (!isOpen) {
    return [];
  }
  if (observation !== undefined) {
    return [{ ...condition, goodSinceMs: null }];
  }
  const goodSinceMs = condition.goodSinceMs ?? nowMs;
  return nowMs - goodSinceMs >= rule.clearAfterMs ? [] : [{ ...condition, goodSinceMs }];
}

function findingOf(rule: Rule, key: string, { subject, severity, cause }: Observation, sinceMs: number): Finding {
  return { key, rule: rule.id, severity, subject, sinceMs, cause };
}
