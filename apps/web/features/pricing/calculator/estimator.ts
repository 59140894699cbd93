// Answers the calculator's questions: in a worker, or on the page where there is none.
import type { CalculatorState } from '@penstock/pricing';
import { type Analysis, analyse } from '../results/analysis';
import { type PreparedEstimate, prepareEstimate } from '../results/prepare-estimate';

export interface Question {
  readonly id: number;
  readonly state: CalculatorState;
}

export type Answer =
  | { readonly id: number; readonly kind: 'estimate'; readonly estimate: PreparedEstimate }
  | { readonly id: number; readonly kind: 'analysis'; readonly analysis: Analysis };

/** How long a state has to rest before it is analyzed. */
export const REST_MS = 200;

/** Each question gets an estimate at once, and an analysis unless another question follows within REST_MS. */
export function createEstimator(deliver: (answer: Answer) => void): (question: Question) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return ({ id, state }) => {
    clearTimeout(timer);
    deliver({ id, kind: 'estimate', estimate: prepareEstimate(state) });
    timer = setTimeout(() => deliver({ id, kind: 'analysis', analysis: analyse(state) }), REST_MS);
  };
}
