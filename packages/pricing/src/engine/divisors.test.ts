import { expect, test } from 'vitest';
import { candidatesFor } from '../catalogue/index.ts';
import { decimal } from '../decimal/index.ts';
import { inputOfSymbol } from '../inputs/index.ts';
import { type CalculatorState, DEFAULT_STATE, estimateState, parseState } from '../state/index.ts';
import type { Formula } from '../worksheet/index.ts';
import { COMPILED_SHARED, COMPILED_SYSTEMS, type CompiledSystem } from './compile.ts';

/** Symbols that the engine provides; none of their values is 0. */
const GIVEN = new Set(['gb', 'zone_bytes', 'month_h']);

function formulasOf(system: CompiledSystem): readonly Formula[] {
  return [
    ...[...COMPILED_SHARED.values(), ...system.cells.values()].map((cell) => cell.compiled),
    ...system.lines.map((line) => line.quantity),
    ...Object.values(system.latency).filter((formula) => formula !== null),
    ...system.limits.flatMap(({ exceeds, most }) => [exceeds, most]),
  ];
}

/** The smallest value that a symbol can have in a system's formulas. */
function smallest(system: CompiledSystem, symbol: string): string {
  const cell = system.cells.get(symbol);
  if (cell !== undefined) {
    return cell.min ?? '0';
  }
  const input = inputOfSymbol(symbol);
  if (input?.kind === 'number') {
    return input.min;
  }
  const { machine: role } = system.spec;
  if (role !== undefined && symbol.startsWith(`${role}_`)) {
    const values = system.spec.clouds
      .flatMap((cloud) => candidatesFor(role, cloud))
      .map(({ vcpus, networkMbps, localDiskGb }) =>
        symbol.endsWith('_vcpus') ? vcpus : Number(symbol.endsWith('_mb_s') ? networkMbps : (localDiskGb ?? 0)),
      );
    return String(Math.min(...values));
  }
  return GIVEN.has(symbol) ? '1' : '0';
}

test('no divisor can be set to 0', () => {
  const found = COMPILED_SYSTEMS.flatMap((system) =>
    formulasOf(system).flatMap(({ divisors }) => divisors.map((symbol) => [system, symbol] as const)),
  );
  expect(found.length).toBeGreaterThan(100);
  const unbounded = found.filter(([system, symbol]) => decimal(smallest(system, symbol)).lte(0));
  expect(unbounded.map(([{ spec }, symbol]) => `${spec.id}.${symbol}`)).toEqual([]);
});

function totals(state: CalculatorState, only: ReadonlySet<string>): readonly (string | null)[] {
  return estimateState(state, only).systems.map((system) => (system.available ? system.total.toFixed() : null));
}

const BROKERS = COMPILED_SYSTEMS.filter(({ cells }) => cells.has('max_disk_gb')).map(({ spec }) => spec.id);

test.each(['0', '0.001', '99.9'])('refuses brokers with at most %s GB of disk at their field', (text) => {
  expect(BROKERS).toContain('kafka');
  for (const id of BROKERS) {
    const { state, errors } = parseState([[`pin.${id}.max_disk_gb`, text]]);
    expect(errors).toEqual({ [`pin.${id}.max_disk_gb`]: 'Enter a number of at least 100.' });
    const only = new Set([id]);
    expect(totals(state, only)).toEqual(totals(DEFAULT_STATE, only));
  }
});
