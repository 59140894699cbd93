// The health rules as options of a select.
import { type RuleId, ruleIds, ruleTexts, titleOf } from '@penstock/health';

export const ALL_RULES = 'all';

export const ruleOptions: readonly { value: string; label: string }[] = [
  { value: ALL_RULES, label: 'All rules' },
  ...ruleIds.map((id) => ({ value: id, label: ruleTexts[id].title })),
];

export function ruleIdOf(text: string): RuleId | null {
  return ruleIds.find((id) => id === text) ?? null;
}

/** @param rule null means every rule */
export function ruleTitle(rule: string | null): string {
  return rule === null ? 'All rules' : titleOf(rule);
}
