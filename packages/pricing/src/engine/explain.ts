// Explains a line: its formula with values filled in, and each variable down to the inputs.
import { type Decimal, formatNumber } from '../decimal/index.ts';
import { type InputKey, inputOfSymbol, specOf } from '../inputs/index.ts';
import { isFromSmallBench } from '../inputs/measured-agent.ts';
import { INPUT_CELLS } from '../models/index.ts';
import { COMPILED_SHARED, COMPILED_SYSTEMS } from './compile.ts';
import type { LineItem, SystemEstimate } from './estimate.ts';

export interface Variable {
  readonly symbol: string;
  readonly label: string;
  readonly unit: string;
  readonly value: Decimal;
  /** How it was computed; null for an input. */
  readonly formula: string | null;
  readonly filledIn: string | null;
  /** Key of the input that it is or stands for. */
  readonly input: InputKey | null;
  /** Name for pinning, for cells of the system. */
  readonly pin: string | null;
}

const INPUT_CELL_OF: ReadonlyMap<string, (typeof INPUT_CELLS)[number]> = new Map(
  INPUT_CELLS.map((cell) => [cell.symbol, cell]),
);
const SYMBOL = /[a-z][a-z0-9_]*/g;
const FUNCTIONS = new Set(['ceil', 'max', 'min']);

/** The formula with a value in place of each symbol. */
export function fillIn(formula: string, value: (symbol: string) => Decimal): string {
  return formula.replace(SYMBOL, (symbol) => (FUNCTIONS.has(symbol) ? symbol : formatNumber(value(symbol), 8)));
}

/**
 * The line's formula, and the same with values. If the quantity is a single cell, that cell's formula is shown instead, because a name such
 * as `disk_gb` explains little.
 */
export function openFormula(
  system: SystemEstimate & { available: true },
  line: LineItem,
): { symbols: string; filledIn: string } {
  const value = (symbol: string) => system.worksheet.value(symbol);
  const compiled = COMPILED_SYSTEMS.find((candidate) => candidate.spec.id === system.id);
  const cell = compiled?.cells.get(line.formula.symbols) ?? COMPILED_SHARED.get(line.formula.symbols);
  const symbols = cell?.formula ?? line.formula.symbols;
  return { symbols, filledIn: fillIn(symbols, value) };
}

/** Every variable behind a line, in the order in which a reader meets them. Empty when the system is not available. */
export function explain(system: SystemEstimate, line: LineItem): readonly Variable[] {
  const compiled = COMPILED_SYSTEMS.find((candidate) => candidate.spec.id === system.id);
  if (!system.available || compiled === undefined) {
    return [];
  }
  const { worksheet } = system;
  const value = (symbol: string) => worksheet.value(symbol);
  const found = new Map<string, Variable>();
  const visit = (symbols: readonly string[]): void => {
    for (const symbol of symbols) {
      if (found.has(symbol)) {
        continue;
      }
      const own = compiled.cells.get(symbol);
      const cell = own ?? COMPILED_SHARED.get(symbol);
      const input = inputOfSymbol(symbol);
      const cellOfInput = INPUT_CELL_OF.get(symbol);
      found.set(symbol, {
        symbol,
        label: cell?.label ?? input?.label ?? cellOfInput?.label ?? symbol,
        unit: cell?.unit ?? (input?.kind === 'number' ? input.unit : (cellOfInput?.unit ?? '')),
        value: value(symbol),
        formula: cell?.formula ?? null,
        filledIn: cell === undefined ? null : fillIn(cell.formula, value),
        input: input?.key ?? cellOfInput?.input ?? null,
        pin: own === undefined ? null : `${system.id}.${symbol}`,
      });
      if (cell !== undefined) {
        visit(cell.compiled.symbols);
      }
    }
  };
  const compiledLine = compiled.lines.find((candidate) => candidate.spec.id === line.id);
  visit(compiledLine?.quantity.symbols ?? []);
  return [...found.values()];
}

/** Whether a line rests on a figure that we measured on two shared cores. */
export function restsOnSmallBench(line: LineItem): boolean {
  return line.assumptions.some((key) => {
    const spec = specOf(key);
    // CPU decides the number of machines. What follows from that number, such as requests at low load, is not marked for it.
    const isCpu = spec.kind === 'number' && spec.unit === 'core-seconds';
    return isFromSmallBench(spec.source) && (!isCpu || line.basis === 'hour');
  });
}

export interface PinnableCell {
  readonly system: string;
  readonly label: string;
  readonly unit: string;
  /** The smallest value that can be pinned, decimal text. */
  readonly min: string;
}

/** Names that can be pinned: the cells of each system. */
export const PINNABLE: ReadonlyMap<string, PinnableCell> = new Map(
  COMPILED_SYSTEMS.flatMap(({ spec }) =>
    spec.cells.map(({ symbol, label, unit, min = '0' }) => [
      `${spec.id}.${symbol}`,
      { system: spec.name, label, unit, min },
    ]),
  ),
);
