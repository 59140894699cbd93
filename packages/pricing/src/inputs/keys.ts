import type { KAFKA_INPUTS, PENSTOCK_INPUTS, RIVAL_INPUTS, VIEW_INPUTS } from './systems.ts';
import type { DEPLOYMENT_INPUTS, LATENCY_INPUTS, WORKLOAD_INPUTS } from './workload.ts';

type Declared =
  | (typeof WORKLOAD_INPUTS)[number]
  | (typeof DEPLOYMENT_INPUTS)[number]
  | (typeof LATENCY_INPUTS)[number]
  | (typeof PENSTOCK_INPUTS)[number]
  | (typeof KAFKA_INPUTS)[number]
  | (typeof RIVAL_INPUTS)[number]
  | (typeof VIEW_INPUTS)[number];

/** The inputs that a model may depend on: all but the choice of the system to compare with, which follows from the models. */
export type ModelInput = Declared['key'];

/** The names of inputs in formulas. */
export type InputSymbol = Exclude<Declared['symbol'], ''>;
