import { describe, expect, it } from 'vitest';
import { SHARED_CELLS, SYSTEMS } from './index.ts';

/** Units and arithmetic: bytes in KiB, MiB, GiB and TiB, in MB and GB; seconds, minutes, hours and quarters of an hour; thousands; 0, 1, 2. */
const UNITS = new Set([
  '0',
  '1',
  '2',
  '4',
  '24',
  '60',
  '1000',
  '3600',
  '86400',
  '1000000',
  '1000000000',
  '1048576',
  '1073741824',
  '1099511627776',
]);

const formulas = [
  ...SHARED_CELLS.map((cell) => ['shared', cell.symbol, cell.formula] as const),
  ...SYSTEMS.flatMap((system) => [
    ...system.cells.map((cell) => [system.id, cell.symbol, cell.formula] as const),
    ...system.lines.map((line) => [system.id, line.id, line.quantity] as const),
    ...[
      system.latency.produceP50,
      system.latency.produceP99,
      ...(system.latency.basis === 'estimated' ? [system.latency.endToEndP50, system.latency.endToEndP99] : []),
    ].flatMap((formula) => (formula === null ? [] : [[system.id, 'latency', formula] as const])),
  ]),
];

describe('formulas', () => {
  // Every figure that someone measured, published or chose is an input with a source.
  it('contain only units', () => {
    for (const [system, name, formula] of formulas) {
      const numbers = formula.match(/(?<![a-z0-9_.])\d+(?:\.\d+)?/g) ?? [];
      expect(
        numbers.filter((number) => !UNITS.has(number)),
        `${system}.${name}: ${formula}`,
      ).toEqual([]);
    }
  });
});
