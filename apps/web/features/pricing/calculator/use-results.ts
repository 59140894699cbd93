'use client';

import type { CalculatorState } from '@penstock/pricing';
import { useEffect, useRef, useState } from 'react';
import type { Analysis } from '../results/analysis';
import { type PreparedEstimate, prepareEstimate } from '../results/prepare-estimate';
import { EstimatorClient } from './estimator-client';

export interface Results {
  /** The newest state with a finished estimate. */
  readonly state: CalculatorState;
  readonly estimate: PreparedEstimate;
  /** The newest state with a finished analysis. */
  readonly analyzedState: CalculatorState;
  readonly analysis: Analysis;
}

function startWorker(): Worker | null {
  return typeof Worker === 'undefined'
    ? null
    : new Worker(new URL('./estimator.worker.ts', import.meta.url), { name: 'estimator' });
}

/** The results of the newest state that the worker has answered. The first ones are computed while rendering. */
export function useResults(state: CalculatorState, initialAnalysis: Analysis): Results {
  const [results, setResults] = useState<Results>(() => ({
    state,
    estimate: prepareEstimate(state),
    analyzedState: state,
    analysis: initialAnalysis,
  }));
  const client = useRef<EstimatorClient>(null);
  const newest = useRef(state);
  useEffect(() => {
    const opened = new EstimatorClient(startWorker, {
      estimate: (of, estimate) => setResults((before) => ({ ...before, state: of, estimate })),
      analysis: (of, analysis) => setResults((before) => ({ ...before, analyzedState: of, analysis })),
    });
    client.current = opened;
    return () => opened.close();
  }, []);
  useEffect(() => {
    if (newest.current !== state) {
      newest.current = state;
      client.current?.ask(state);
    }
  }, [state]);
  return results;
}
