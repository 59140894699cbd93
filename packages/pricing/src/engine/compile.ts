// Parses all formulas of all systems once, when the package is loaded.

import type { MachineRole } from '../catalogue/index.ts';
import { type InputKey, inputOfSymbol } from '../inputs/index.ts';
import { INPUT_CELLS, type LineSpec, SHARED_CELLS, SYSTEMS, type SystemSpec } from '../models/index.ts';
import { type Cell, compileCells, type Formula, readFormula } from '../worksheet/index.ts';
import { type CompiledPlans, compilePlans } from './plans.ts';

export interface CompiledLine {
  readonly spec: LineSpec;
  readonly quantity: Formula;
  /** The inputs that the quantity depends on, in the order of their appearance in the formula. */
  readonly inputs: readonly InputKey[];
  /** Whether it follows from the machine that the system has. */
  readonly byMachine: boolean;
}
export type LatencyKey = 'produceP50' | 'produceP99' | 'endToEndP50' | 'endToEndP99';
export const LATENCY_KEYS: readonly LatencyKey[] = ['produceP50', 'produceP99', 'endToEndP50', 'endToEndP99'];

export interface CompiledSystem {
  readonly spec: SystemSpec;
  readonly cells: ReadonlyMap<string, Cell>;
  /** The cells that follow from the machine, and all others: only the former differ between machines. */
  readonly machineCells: ReadonlyMap<string, Cell>;
  readonly otherCells: ReadonlyMap<string, Cell>;
  readonly lines: readonly CompiledLine[];
  readonly latency: Readonly<Record<LatencyKey, Formula | null>>;
  /** Null for a system that is sold in one way. */
  readonly plans: CompiledPlans | null;
  readonly limits: readonly { readonly exceeds: Formula; readonly most: Formula; readonly words: string }[];
}

export const COMPILED_SHARED = compileCells(SHARED_CELLS);
const GIVEN_INPUT: ReadonlyMap<string, InputKey> = new Map(INPUT_CELLS.map((cell) => [cell.symbol, cell.input]));

function inputsBehind(formula: Formula, cells: ReadonlyMap<string, Cell>): readonly InputKey[] {
  const inputs = new Set<InputKey>();
  const seen = new Set<string>();
  const visit = (symbols: readonly string[]): void => {
    for (const symbol of symbols) {
      if (seen.has(symbol)) {
        continue;
      }
      seen.add(symbol);
      const cell = cells.get(symbol) ?? COMPILED_SHARED.get(symbol);
      const input = inputOfSymbol(symbol)?.key ?? GIVEN_INPUT.get(symbol);
      if (cell !== undefined) {
        visit(cell.compiled.symbols);
      } else if (input !== undefined) {
        inputs.add(input);
      } else {
        throw new Error(`the formula "${formula.text}" reads "${symbol}", which nothing defines`);
      }
    }
  };
  visit(formula.symbols);
  return [...inputs];
}

/** Whether a formula follows from the symbols of a machine, directly or through cells. */
function followsMachine(formula: Formula, cells: ReadonlyMap<string, Cell>, role: MachineRole | undefined): boolean {
  return (
    role !== undefined &&
    formula.symbols.some((symbol) => {
      const cell = cells.get(symbol);
      return cell === undefined ? symbol.startsWith(`${role}_`) : followsMachine(cell.compiled, cells, role);
    })
  );
}

function compile(spec: SystemSpec): CompiledSystem {
  const cells = compileCells(spec.cells);
  const follows = (formula: Formula) => followsMachine(formula, cells, spec.machine);
  const entries = [...cells];
  const read = (text: string | null) => (text === null ? null : readFormula(text));
  return {
    spec,
    cells,
    machineCells: new Map(entries.filter(([, cell]) => follows(cell.compiled))),
    otherCells: new Map(entries.filter(([, cell]) => !follows(cell.compiled))),
    lines: spec.lines.map((line) => {
      const quantity = readFormula(line.quantity);
      return {
        spec: line,
        quantity,
        inputs: inputsBehind(quantity, cells),
        byMachine: line.price === 'own machine' || follows(quantity),
      };
    }),
    plans: spec.plans === undefined ? null : compilePlans(spec.plans),
    limits: (spec.limits ?? []).map(({ exceeds, most, words }) => ({
      exceeds: readFormula(exceeds),
      most: readFormula(most),
      words,
    })),
    latency: {
      produceP50: read(spec.latency.produceP50),
      produceP99: read(spec.latency.produceP99),
      endToEndP50: read(spec.latency.endToEndP50),
      endToEndP99: read(spec.latency.endToEndP99),
    },
  };
}

export const COMPILED_SYSTEMS: readonly CompiledSystem[] = SYSTEMS.map(compile);
