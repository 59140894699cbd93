// PENSTOCK_METADATA_BUDGETS: the budgets of all clusters, and of single ones.
import { z } from 'zod';
import { type BudgetSettings, DEFAULT_BUDGET, trialBudgetOf } from './call-budgets.ts';

const perSecond = z.number().int().min(1).max(1_000_000_000).optional();
const budget = z.strictObject({ calls: perSecond, commits: perSecond, batches: perSecond });
const budgets = z.strictObject({
  default: budget.optional(),
  trial: budget.optional(),
  clusters: z.record(z.uuid(), budget).optional(),
});

/**
 * JSON, such as `{"default":{"calls":20000},"clusters":{"<cluster id>":{"batches":2000000}}}`. What it omits has its
 * default: of `trial`, a quarter of `default`.
 */
export const budgetsVariable = z
  .string()
  .default('{}')
  .transform((text, context): BudgetSettings => {
    const parsed = budgets.safeParse(jsonOf(text));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      context.addIssue(`expected JSON with default, trial and clusters: ${issue?.path.join('.')}: ${issue?.message}`);
      return z.NEVER;
    }
    const ofAll = { ...DEFAULT_BUDGET, ...present(parsed.data.default ?? {}) };
    const clusters = Object.entries(parsed.data.clusters ?? {}).map(
      ([clusterId, own]) => [clusterId.toLowerCase(), { ...ofAll, ...present(own) }] as const,
    );
    const trial = { ...trialBudgetOf(ofAll), ...present(parsed.data.trial ?? {}) };
    return { default: ofAll, trial, clusters: new Map(clusters) };
  });

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Given = z.infer<typeof budget>;

function present({ calls, commits, batches }: Given) {
  return {
    ...(calls === undefined ? {} : { calls }),
    ...(commits === undefined ? {} : { commits }),
    ...(batches === undefined ? {} : { batches }),
  };
}
