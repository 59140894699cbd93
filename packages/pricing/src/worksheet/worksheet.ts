// A worksheet: named cells that are inputs or formulas over other cells, evaluated on demand and memoized.
import type { Decimal } from '../decimal/index.ts';
import { type Formula, readFormula } from './formula.ts';

/** A cell as a model defines it. */
export interface CellSpec {
  readonly symbol: string;
  readonly label: string;
  readonly unit: string;
  readonly formula: string;
}

export type Cell = CellSpec & { readonly compiled: Formula };

export function compileCells(specs: readonly CellSpec[]): ReadonlyMap<string, Cell> {
  return new Map(specs.map((spec) => [spec.symbol, { ...spec, compiled: readFormula(spec.formula) }]));
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
