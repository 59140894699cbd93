import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogueOn } from '../catalogue/index.ts';
import { decimal, usd } from '../decimal/index.ts';
import { INPUTS, type InputKey } from '../inputs/index.ts';
import { UNPRICED } from '../models/index.ts';
import { type CalculatorState, DEFAULT_STATE, estimateState, withInput } from '../state/index.ts';
import { readFormula } from '../worksheet/index.ts';
import type { LineItem, SystemEstimate } from './estimate.ts';
import { explain, fillIn } from './explain.ts';

const number = (min: number, max: number, digits = 3) =>
  fc
    .double({ min, max, noNaN: true, noDefaultInfinity: true })
    .map((value) => decimal(value.toFixed(digits)).toFixed());

/** Any valid state of the inputs that the properties use; the others have their defaults. */
const anyState: fc.Arbitrary<CalculatorState> = fc
  .record({
    throughput: number(0, 5000),
    throughputBasis: fc.constantFrom('compressed', 'uncompressed'),
    compressionRatio: number(1, 12),
    fanout: number(0, 20, 1),
    retentionDays: number(0, 60),
    partitions: fc.integer({ min: 1, max: 50_000 }).map(String),
    peakToAverage: number(1, 5, 2),
    cloud: fc.constantFrom('aws', 'aws', 'gcp', 'azure'),
    region: fc.constantFrom('catalogue', 'other'),
    zones: fc.integer({ min: 1, max: 4 }).map(String),
    replicationFactor: fc.integer({ min: 1, max: 5 }).map(String),
    fetchFromFollower: fc.constantFrom('true', 'false'),
    commitment: fc.constantFrom('on-demand', 'reserved'),
    monthHours: fc.constantFrom('720', '730'),
    byteUnit: fc.constantFrom('GB', 'GiB'),
    standardBatchMs: fc.integer({ min: 10, max: 2000 }).map(String),
    landingBatchMs: fc.integer({ min: 5, max: 500 }).map(String),
    expressBatchMib: number(0.1, 64, 1),
    warpstreamPlan: fc.constantFrom('dev', 'fundamentals', 'pro'),
  })
  .map((inputs) => ({ ...DEFAULT_STATE, inputs: { ...DEFAULT_STATE.inputs, ...inputs } }));

type Available = SystemEstimate & { available: true };
const available = (state: CalculatorState): Available[] =>
  estimateState(state).systems.filter((system): system is Available => system.available);
const pairs = (left: CalculatorState, right: CalculatorState): [string, LineItem, LineItem][] => {
  const others = new Map(
    available(right).flatMap((system) => system.lines.map((line) => [`${system.id}/${line.id}`, line] as const)),
  );
  return available(left).flatMap((system) =>
    system.lines.flatMap((line): [string, LineItem, LineItem][] => {
      const other = others.get(`${system.id}/${line.id}`);
      return other === undefined ? [] : [[`${system.id}/${line.id}`, line, other]];
    }),
  );
};
const RUNS = { numRuns: 150 };
/** Equal to 30 significant digits: only divisions without a finite expansion are truncated, at the 40th. */
const same = (a: ReturnType<typeof decimal>, b: ReturnType<typeof decimal>) =>
  a.toSignificantDigits(30).eq(b.toSignificantDigits(30));

describe('estimates', () => {
  it('have lines that sum to the total exactly', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        for (const system of available(state)) {
          const micros = system.lines.reduce((sum, line) => sum + BigInt(line.amount.times(1_000_000).toFixed()), 0n);
          expect(system.total.times(1_000_000).toFixed()).toBe(micros.toString());
        }
      }),
      RUNS,
    );
  });

  it.each(['throughput', 'fanout', 'retentionDays'] as const)('never cost less when %s rises', (key) => {
    fc.assert(
      fc.property(anyState, number(0, 300), (state, more) => {
        const raised = withInput(state, key, decimal(state.inputs[key]).plus(more).toFixed());
        const before = new Map(available(state).map((system) => [system.id, system.total]));
        for (const system of available(raised)) {
          expect(
            system.total.gte(before.get(system.id) ?? 0),
            `${system.id}: ${before.get(system.id)} to ${system.total}`,
          ).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it('have only fixed costs, with a reason, if nothing is written', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        for (const system of available(withInput(state, 'throughput', '0'))) {
          for (const line of system.lines) {
            expect(line.amount.isZero() || line.floor !== null, `${system.id}/${line.id}`).toBe(true);
          }
        }
      }),
      RUNS,
    );
  });

  it('differ between GB and GiB only where clouds bill by size', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        for (const [name, gb, gib] of pairs(withInput(state, 'byteUnit', 'GB'), withInput(state, 'byteUnit', 'GiB'))) {
          const bySize = gb.unit === 'GB' || gb.unit === 'GB-month';
          expect(same(gb.quantity, bySize ? gib.quantity.times('1.073741824') : gib.quantity), name).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it('scale only hourly and per-second lines with the month', () => {
    fc.assert(
      fc.property(anyState, (state) => {
        for (const [name, long, short] of pairs(
          withInput(state, 'monthHours', '730'),
          withInput(state, 'monthHours', '720'),
        )) {
          const scaled = long.basis === 'none' ? short.quantity.times(720) : short.quantity.times(730);
          expect(same(long.quantity.times(720), scaled), name).toBe(true);
          if (long.basis === 'none') {
            expect(long.amount.eq(short.amount), name).toBe(true);
          } else if (long.price.tiers.length === 1) {
            // Each amount is rounded once, by at most half a millionth of a dollar.
            expect(long.amount.times(720).minus(short.amount.times(730)).abs().lte(usd('0.000725')), name).toBe(true);
          }
        }
      }),
      RUNS,
    );
  });

  it('show a formula that evaluates to the quantity', () => {
    for (const system of available(DEFAULT_STATE)) {
      for (const line of system.lines) {
        const exact = line.formula.symbols.replace(/[a-z][a-z0-9_]*/g, (symbol) =>
          ['ceil', 'max', 'min'].includes(symbol) ? symbol : system.worksheet.value(symbol).toFixed(),
        );
        expect(
          readFormula(exact)
            .evaluate(() => decimal(0))
            .toFixed(6),
          `${system.id}/${line.id}`,
        ).toBe(line.quantity.toFixed(6));
        expect(fillIn(line.formula.symbols, (symbol) => system.worksheet.value(symbol))).not.toMatch(/[a-z]+_/);
        const variables = explain(system, line);
        expect(variables.every((variable) => variable.formula !== null || variable.input !== null)).toBe(true);
        expect(line.assumptions.every((key) => INPUTS.some((spec) => spec.key === key))).toBe(true);
      }
    }
  });

  it('state the price, its source and its date on every line', () => {
    for (const system of available(DEFAULT_STATE)) {
      for (const line of system.lines) {
        expect(line.price.entry.source.length, line.id).toBeGreaterThan(3);
        expect(line.price.entry.sourceDate.length, line.id).toBeGreaterThan(3);
      }
    }
  });

  it('charge nothing for traffic between zones on Azure', () => {
    for (const system of available(withInput(DEFAULT_STATE, 'cloud', 'azure'))) {
      const network = system.lines.filter((line) => line.component === 'inter-zone network');
      expect(network.every((line) => line.amount.isZero())).toBe(true);
    }
  });

  it('let the reader override a computed cell and a price', () => {
    const [before] = estimateState(DEFAULT_STATE, new Set(['kafka'])).systems;
    const [after] = estimateState(
      { ...DEFAULT_STATE, pins: { 'kafka.brokers': '7' }, prices: { 'aws.zone-transfer': '0.01' } },
      new Set(['kafka']),
    ).systems;
    expect(before?.available && after?.available).toBe(true);
    if (before?.available && after?.available) {
      expect(after.lines.find((line) => line.id === 'brokers')?.quantity.toFixed()).toBe('5110');
      const across = (system: Available) => system.lines.find((line) => line.id === 'replicate-across-zones')?.amount;
      expect(across(after)?.times(2).toFixed(5)).toBe(across(before)?.toFixed(5));
    }
  });

  it('refuse a dev cluster beyond its limits', () => {
    const dev = withInput(DEFAULT_STATE, 'penstockCluster', 'dev');
    const [tooMuch] = estimateState(dev, new Set(['penstock'])).systems;
    expect(tooMuch?.available).toBe(false);
    const [fits] = estimateState(withInput(dev, 'throughput', '10'), new Set(['penstock'])).systems;
    expect(fits?.available).toBe(true);
  });

  it.each(['gcp', 'azure'])('call object storage by its own name on %s', (cloud) => {
    for (const system of available(withInput(DEFAULT_STATE, 'cloud', cloud))) {
      expect(system.name).not.toMatch(/S3/);
    }
    expect(available(DEFAULT_STATE).some((system) => system.name === 'Penstock, S3 Standard')).toBe(true);
  });

  it('choose the WarpStream plan that compares, within its limits', () => {
    const item = (state: CalculatorState) => {
      const [system] = estimateState(state, new Set(['warpstream'])).systems;
      return system?.available ? system.lines.find((line) => line.id === 'fee-cluster')?.price.entry.item : null;
    };
    const dev = withInput(withInput(DEFAULT_STATE, 'penstockCluster', 'dev'), 'throughput', '5');
    expect(item(DEFAULT_STATE)).toBe('warpstream.cluster');
    expect(item(dev)).toBe('warpstream.cluster-dev');
    expect(item(withInput(DEFAULT_STATE, 'partitions', '16385'))).toBe('warpstream.cluster-pro');
    expect(item(withInput(DEFAULT_STATE, 'partitions', '50001'))).toBeNull();
  });

  it('charge Bufstream no traffic between zones in a single zone', () => {
    const [system] = estimateState(withInput(DEFAULT_STATE, 'zones', '1'), new Set(['bufstream'])).systems;
    const line = system?.available ? system.lines.find(({ id }) => id === 'metadata-across-zones') : undefined;
    expect(line?.amount.isZero()).toBe(true);
  });

  it('refuse loads beyond the quotas of MSK Serverless', () => {
    const at = (key: InputKey, value: string) =>
      estimateState(withInput(DEFAULT_STATE, key, value), new Set(['msk-serverless'])).systems[0];
    expect(at('throughput', '100')?.available).toBe(true);
    expect(at('partitions', '2401')?.available).toBe(false);
    expect(at('fanout', '30')).toMatchObject({ available: false, reason: 'Supports up to 400 MB/s out at the peak.' });
    for (const { why, looked } of UNPRICED) {
      expect(why.length > 40 && /20\d\d/.test(looked)).toBe(true);
    }
  });

  it('use the prices of the requested day', () => {
    const price = (day: string, item: string) => catalogueOn(day).prices.get(item)?.tiers[0]?.usd.toFixed();
    expect(price('2025-04-09', 'aws.express.put')).toBe('0.0025');
    expect(price('2025-04-10', 'aws.express.put')).toBe('0.00113');
    expect(price('2020-01-01', 'aws.express.put')).toBe('0.0025');
  });
});
