// The analysis for the page as it leaves the server: remembered for the links that are opened again, rounded for the way.
import { type CalculatorState, encodeState } from '@penstock/pricing';
import { type Analysis, analyse } from './analysis';

const REMEMBERED = 100;
const remembered = new Map<string, Analysis>();

/** The whole analysis of a state. Pure but for its memory, which is bounded. */
export function firstAnalysis(state: CalculatorState): Analysis {
  const key = encodeState(state);
  const known = remembered.get(key);
  if (known !== undefined) {
    return known;
  }
  const analysis = roundedToCents(analyseNow(state));
  const [oldest] = remembered.keys();
  if (remembered.size >= REMEMBERED && oldest !== undefined) {
    remembered.delete(oldest);
  }
  remembered.set(key, analysis);
  return analysis;
}

function analyseNow(state: CalculatorState): Analysis {
  const steps = analyse(state);
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      return step.value;
    }
  }
}

const cents = (dollars: number | null) => (dollars === null ? null : Math.round(dollars * 100) / 100);

/** For drawing only: bills are exact, charts show dollars. */
function roundedToCents(analysis: Analysis): Analysis {
  return {
    ...analysis,
    saved: cents(analysis.saved),
    curve: analysis.curve.map(({ mibPerSecond, totals }) => ({
      mibPerSecond,
      totals: Object.fromEntries(Object.entries(totals).map(([id, total]) => [id, cents(total)])),
    })),
    sensitivity: analysis.sensitivity.map((row) => ({
      ...row,
      savedLow: cents(row.savedLow),
      savedHigh: cents(row.savedHigh),
      swing: Math.round(row.swing * 100) / 100,
    })),
  };
}
