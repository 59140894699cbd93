'use client';

import type { CalculatorState } from '@penstock/pricing';
import { startTransition, useEffect, useRef, useState } from 'react';
import { type Analysis, analyse } from '../results/analysis';

const REST_MS = 200;
/** Well under a frame of 16 ms, with room for the browser's own work. */
const SLICE_MS = 5;

/** The analysis of a state, recomputed in short slices once the state rests; `stale` while an older one is shown. */
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
    const steps = analyse(state);
    let timer = setTimeout(function slice() {
      const end = performance.now() + SLICE_MS;
      while (performance.now() < end) {
        const step = steps.next();
        if (step.done === true) {
          shown.current = state;
          startTransition(() => setComputed({ state, analysis: step.value }));
          return;
        }
      }
      timer = setTimeout(slice, 0);
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [state]);
  return { analysis: computed.analysis, stale: computed.state !== state };
}
