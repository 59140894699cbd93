// A worksheet: named cells that are inputs or formulas over other cells, evaluated on demand and memoized.
import type { Decimal } from '../decimal/index.ts';
import { type Formula, readFormula } from './formula.ts';

/** A cell as a model defines it. */
export interface CellSpec {
  readonly symbol: string;
  readonly label: string;
  readonly unit: string;
  readonly formula: string;
  /** The smallest value that a reader may pin, decimal text; 0 if absent. A cell that divides needs one above 0. */
  readonly min?: string;
}

export type Cell = CellSpec & { readonly compiled: Formula };

/** Parses the cells of a sheet. Throws for formulas that depend on themselves, which is a defect of the model. */
export function compileCells(specs: readonly CellSpec[]): ReadonlyMap<string, Cell> {
  const cells = new Map(specs.map((spec) => [spec.symbol, { ...spec, compiled: readFormula(spec.formula) }]));
  refuseCircles(cells);
  return cells;
}

function refuseCircles(cells: ReadonlyMap<string, Cell>): void {
  const checked = new Set<string>();
  const visit = (symbol: string, path: readonly string[]): void => {
    const at = path.indexOf(symbol);
    if (at !== -1) {
      throw new Error(`circular formulas: ${[...path.slice(at), symbol].join(' → ')}`);
    }
    if (checked.has(symbol)) {
      return;
    }
    for (const read of cells.get(symbol)?.compiled.symbols ?? []) {
      visit(read, [...path, symbol]);
    }
    checked.add(symbol);
  };
  for (const symbol of cells.keys()) {
    visit(symbol, []);
  }
}

export class Worksheet {
  readonly #values: Map<string, Decimal>;
  readonly #cells: ReadonlyMap<string, Cell>;
  readonly #parent: Worksheet | null;
  readonly #lookup = (symbol: string): Decimal => this.value(symbol);

  /** `values` holds inputs, and cells that the reader pinned to another value; they take precedence over formulas. */
  constructor(cells: ReadonlyMap<string, Cell>, values: ReadonlyMap<string, Decimal>, parent: Worksheet | null = null) {
    this.#cells = cells;
    this.#values = new Map(values);
    this.#parent = parent;
  }

  /** The value of a cell. Throws for an unknown symbol, which is a defect of the model. */
  value(symbol: string): Decimal {
    const known = this.#values.get(symbol);
    if (known !== undefined) {
      return known;
    }
    const cell = this.#cells.get(symbol);
    if (cell !== undefined) {
      const value = cell.compiled.evaluate(this.#lookup);
      this.#values.set(symbol, value);
      return value;
    }
    if (this.#parent !== null) {
      return this.#parent.value(symbol);
    }
    throw new Error(`no cell named "${symbol}"`);
  }

  run(formula: Formula): Decimal {
    return formula.evaluate(this.#lookup);
  }
}
