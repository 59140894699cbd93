// The plan of a vendor that an estimate is made with, and what does not fit into it.
import type { InputValues } from '../inputs/index.ts';
import type { PlanSpec, PlansSpec } from '../models/index.ts';
import { type Formula, readFormula, type Worksheet } from '../worksheet/index.ts';

export interface CompiledPlan {
  readonly spec: PlanSpec;
  readonly limits: readonly { readonly exceeds: Formula; readonly most: Formula }[];
}

export interface CompiledPlans {
  readonly spec: PlansSpec;
  readonly plans: readonly [CompiledPlan, ...CompiledPlan[]];
}

function compilePlan(spec: PlanSpec): CompiledPlan {
  const limits = spec.takes?.limits ?? [];
  return {
    spec,
    limits: limits.map(({ exceeds, most }) => ({ exceeds: readFormula(exceeds), most: readFormula(most) })),
  };
}

export function compilePlans(spec: PlansSpec): CompiledPlans {
  const [smallest, ...larger] = spec.plans;
  return { spec, plans: [compilePlan(smallest), ...larger.map(compilePlan)] };
}

function takes({ limits }: CompiledPlan, shared: Worksheet): boolean {
  return limits.every(({ exceeds, most }) => shared.run(exceeds).lte(shared.run(most)));
}

/** The plan that the input names; where it names none, the first that compares and takes the load, or the last. */
export function planInForce({ spec, plans }: CompiledPlans, inputs: InputValues, shared: Worksheet): CompiledPlan {
  const named = plans.find((plan) => plan.spec.id === inputs[spec.input]);
  const compares = ({ spec: { comparesWhile } }: CompiledPlan) =>
    comparesWhile === undefined || inputs[comparesWhile.input] === comparesWhile.value;
  return named ?? plans.find((plan) => compares(plan) && takes(plan, shared)) ?? plans.at(-1) ?? plans[0];
}

/** Why the load does not fit into a plan; null when it does. */
export function refusalOf(plan: CompiledPlan, shared: Worksheet): string | null {
  return plan.spec.takes === undefined || takes(plan, shared)
    ? null
    : plan.spec.takes.refusal(plan.limits.map(({ most }) => shared.run(most).toFixed()));
}
