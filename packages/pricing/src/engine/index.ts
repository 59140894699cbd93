export type { LatencyKey } from './compile.ts';
export {
  type Assumptions,
  type Estimate,
  estimate,
  type LatencyMs,
  type LineItem,
  type SystemEstimate,
} from './estimate.ts';
export { explain, fillIn, openFormula, PINNABLE, restsOnSmallBench, type Variable } from './explain.ts';
