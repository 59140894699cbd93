// The analysis for the server-rendered page, cached for links that are opened repeatedly and rounded to shrink the page.
import { type CalculatorState, encodeState } from '@penstock/pricing';
import { type Analysis, analyse } from './analysis';

const REMEMBERED = 100;
const remembered = new Map<string, Analysis>();

/** The complete analysis of a state. Pure except for its bounded cache. */
export function firstAnalysis(state: CalculatorState): Analysis {
  const key = encodeState(state);
  const known = remembered.get(key);
  if (known !== undefined) {
    return known;
  }
  const analysis = roundedToCents(analyse(state));
  const [oldest] = remembered.keys();
  if (remembered.size >= REMEMBERED && oldest !== undefined) {
    remembered.delete(oldest);
  }
  remembered.set(key, analysis);
  return analysis;
}

const cents = (dollars: number | null) => (dollars === null ? null : Math.round(dollars * 100) / 100);

/** Rounded for charts only: bills are exact. */
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
