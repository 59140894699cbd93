// A figure of a source document, with the result of the document's own formula.
import { type Decimal, decimal, formatNumber } from '../decimal/index.ts';
import { readFormula } from '../worksheet/index.ts';

export const SOURCES = {
  'warpstream-2024': { title: 'WarpStream, “Public Benchmarks and TCO Analysis”', date: '2024-03-05' },
  'warpstream-2025': {
    title: 'WarpStream, “S3 Express One Zone Benchmark and Total Cost of Ownership”',
    date: '2025-04-18',
  },
  bufstream: { title: 'Buf, “Benchmarks and cost” of Bufstream', date: '2024 (beta documentation)' },
  'elastic-stream': { title: 'AutoMQ, Elastic Stream: “Benchmark on Append operations”', date: 'undated' },
  vanlightly: {
    title: 'Jack Vanlightly, “Kafka vs Redpanda performance, part 1: 4 vs 50 producers”',
    date: '2023-05-15',
  },
} as const;
export type SourceId = keyof typeof SOURCES;

/**
 * derived: the document gives formula and inputs. not-derivable: it does not give them all. given: an input or a price that it starts from.
 * measured: it was read from a running system.
 */
export type FigureKind = 'derived' | 'not-derivable' | 'given' | 'measured';
export type Verdict = 'agrees' | 'differs' | 'cannot be derived' | 'nothing to derive';

export interface FigureSpec {
  readonly source: SourceId;
  readonly label: string;
  readonly kind: FigureKind;
  readonly unit: string;
  /** As the document writes it. */
  readonly statedText: string;
  /** The number of that text, in `unit`. */
  readonly stated: string;
  /** The document's own formula with its own inputs, in its own units; null unless derived. */
  readonly formula: string | null;
  readonly explanation: string;
  /** The preset that reproduces it. */
  readonly preset: string | null;
}

export type PublishedFigure = FigureSpec & {
  readonly id: string;
  readonly computed: Decimal | null;
  readonly difference: Decimal | null;
  /** The difference in percent of the stated value. */
  readonly differencePercent: Decimal | null;
  readonly verdict: Verdict;
};

const NOTHING_TO_EXPLAIN: Readonly<Record<FigureKind, string>> = {
  derived: 'The same after the document’s own rounding.',
  'not-derivable': '',
  given: 'An input of the document: nothing to derive.',
  measured: 'A measurement: nothing to derive.',
};

interface Writer {
  derived: (
    label: string,
    unit: string,
    statedText: string,
    formula: string,
    explanation?: string,
    preset?: string,
  ) => FigureSpec;
  /** Compared in a finer unit than the document's, which would round the difference away. */
  converted: (
    label: string,
    unit: string,
    statedText: string,
    stated: string,
    formula: string,
    explanation: string,
  ) => FigureSpec;
  open: (label: string, unit: string, statedText: string, explanation: string) => FigureSpec;
  given: (label: string, unit: string, statedText: string, explanation?: string) => FigureSpec;
  measured: (label: string, unit: string, statedText: string, explanation?: string) => FigureSpec;
}

/** The number in `$12,868`, `~$130`, `0.67` or `63 %`. */
export function numberIn(statedText: string): string {
  const match = /\d[\d,]*(?:\.\d+)?/.exec(statedText);
  if (match === null) {
    throw new Error(`no number in "${statedText}"`);
  }
  return match[0].replaceAll(',', '');
}

/** Helpers to write one document's figures concisely. */
export function figuresOf(source: SourceId, preset: string | null): Writer {
  const spec = (
    kind: FigureKind,
    label: string,
    unit: string,
    statedText: string,
    formula: string | null,
    explanation: string | undefined,
    link: string | null,
  ): FigureSpec => ({
    source,
    label,
    kind,
    unit,
    statedText,
    stated: numberIn(statedText),
    formula,
    explanation: explanation ?? NOTHING_TO_EXPLAIN[kind],
    preset: link,
  });
  return {
    derived: (label, unit, statedText, formula, explanation, link) =>
      spec('derived', label, unit, statedText, formula, explanation, link ?? preset),
    converted: (label, unit, statedText, stated, formula, explanation) => ({
      ...spec('derived', label, unit, statedText, formula, explanation, preset),
      stated,
    }),
    open: (label, unit, statedText, explanation) =>
      spec('not-derivable', label, unit, statedText, null, explanation, null),
    given: (label, unit, statedText, explanation) => spec('given', label, unit, statedText, null, explanation, null),
    measured: (label, unit, statedText, explanation) =>
      spec('measured', label, unit, statedText, null, explanation, null),
  };
}

/** Agreement: the computed value, rounded or truncated to the document's digits, equals the stated value. */
function agrees(stated: string, computed: Decimal): boolean {
  const places = decimal(stated).decimalPlaces();
  const unit = decimal(10).pow(-places);
  return (
    computed.minus(stated).abs().lt(unit) &&
    (computed.toDecimalPlaces(places, 4).eq(stated) || computed.toDecimalPlaces(places, 1).eq(stated))
  );
}

export function evaluateFigure(spec: FigureSpec, index: number): PublishedFigure {
  const id = `${spec.source}-${String(index + 1).padStart(2, '0')}`;
  if (spec.formula === null) {
    const verdict: Verdict = spec.kind === 'not-derivable' ? 'cannot be derived' : 'nothing to derive';
    return { ...spec, id, computed: null, difference: null, differencePercent: null, verdict };
  }
  const computed = readFormula(spec.formula).evaluate((symbol) => {
    throw new Error(`the figure "${spec.label}" reads the symbol "${symbol}"`);
  });
  const difference = computed.minus(spec.stated);
  return {
    ...spec,
    id,
    computed,
    difference,
    differencePercent: decimal(spec.stated).isZero() ? null : difference.div(spec.stated).times(100),
    verdict: agrees(spec.stated, computed) ? 'agrees' : 'differs',
  };
}

/** A computed figure with at most six significant digits; dollars and larger units are whole. */
export function formatFigure(value: Decimal): string {
  return formatNumber(value.toDecimalPlaces(4), 7);
}
