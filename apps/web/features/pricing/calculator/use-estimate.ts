'use client';

import { type CalculatorState, type Estimate, estimateState, SYSTEMS } from '@penstock/pricing';
import { startTransition, useEffect, useRef, useState } from 'react';
import { runInSlices } from './run-in-slices';

export interface Load {
  readonly state: CalculatorState;
  readonly estimate: Estimate;
}

/** The estimate of all systems, one system per step. */
export function* estimateInSteps(state: CalculatorState): Generator<void, Estimate> {
  const systems: Estimate['systems'][number][] = [];
  for (const { id } of SYSTEMS) {
    systems.push(...estimateState(state, new Set([id])).systems);
    yield;
  }
  return { systems };
}

/** The newest state with a finished estimate, and that estimate. A dragged slider never waits for one. */
export function useEstimate(state: CalculatorState): Load {
  const [shown, setShown] = useState<Load>(() => ({ state, estimate: estimateState(state) }));
  const newest = useRef(shown.state);
  useEffect(() => {
    if (newest.current === state) {
      return;
    }
    return runInSlices(estimateInSteps(state), (estimate) => {
      newest.current = state;
      startTransition(() => setShown({ state, estimate }));
    });
  }, [state]);
  return shown;
}
