'use client';

import type { CalculatorState } from '@penstock/pricing';
import { startTransition, useEffect, useRef, useState } from 'react';
import { type Analysis, analyse } from '../results/analysis';
import { runInSlices } from './run-in-slices';

const REST_MS = 200;
/** The analysis of a state, recomputed in short slices once the state stops changing; `stale` while an older one is shown. */
export function useAnalysis(state: CalculatorState, initial: Analysis): { analysis: Analysis; stale: boolean } {
  const [computed, setComputed] = useState<{ state: CalculatorState; analysis: Analysis }>({
    state,
    analysis: initial,
  });
  const shown = useRef(state);
  useEffect(() => {
    if (shown.current === state) {
      return;
    }
    return runInSlices(
      analyse(state),
      (result) => {
        shown.current = state;
        startTransition(() => setComputed({ state, analysis: result }));
      },
      REST_MS,
    );
  }, [state]);
  return { analysis: computed.analysis, stale: computed.state !== state };
}
