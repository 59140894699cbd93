import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INPUTS, inputNamed } from '../inputs/index.ts';
import { changedFields, DEFAULT_STATE, encodeState, estimateState, oursIn, parseState, withInput } from './state.ts';

const messageFor = (key: string, raw: string) => parseState([[key, raw]]).errors[key];

describe('the state in the URL', () => {
  it('is empty for the default, and holds only what was changed', () => {
    expect(encodeState(DEFAULT_STATE)).toBe('');
    expect(encodeState(withInput(DEFAULT_STATE, 'throughput', '200'))).toBe('throughput=200');
  });

  it('survives a round trip', () => {
    const state = {
      ...withInput(withInput(DEFAULT_STATE, 'throughputUnit', 'GiB/s'), 'fetchFromFollower', 'false'),
      pins: { 'warpstream.agents': '6' },
      prices: { 'aws.s3.put': '0.004' },
      asOf: '2024-03-05',
    };
    expect(parseState(new URLSearchParams(encodeState(state)))).toEqual({ state, errors: {} });
    expect(changedFields(state)).toHaveLength(5);
  });

  it('reads links without a batch interval for S3 Express', () => {
    const { state, errors } = parseState(new URLSearchParams('expressBatchMs=100&expressBatchMib=8'));
    expect(errors).toEqual({});
    expect(state.inputs).toMatchObject({ expressBatchMs: '100', expressBatchMib: '8', landingBatchMs: '25' });
  });

  it.each([
    ['throughput', '-1', /at least 0/],
    ['throughput', 'NaN', /^Enter only a number/],
    ['throughput', '1e30', /at most 1,000,000/],
    ['throughput', '1e-30', /decimal places/],
    ['throughput', '', /^Enter a number/],
    ['throughput', '100 MB/s', /without units/],
    ['throughput', 'Infinity', /^Enter only a number/],
    ['throughput', '9'.repeat(400), /^Enter only a number/],
    ['throughputUnit', 'parsecs', /^Use one of: KiB/],
    ['zones', '2.5', /whole number/],
    ['fetchFromFollower', 'maybe', /true or false/],
    ['asOf', '2024-13-01', /YYYY-MM-DD/],
    ['pin.warpstream.nothing', '1', /Unknown field/],
    ['pin.warpstream.agents', '-3', /at least 0/],
    ['price.aws.s3.put', 'free', /^Enter only a number/],
    ['unknown', '1', /Unknown field/],
    ['__proto__', '1', /Unknown field/],
  ])('reports at the field %s what is wrong with %j', (key, raw, message) => {
    expect(messageFor(key, raw)).toMatch(message);
  });

  it('refuses a machine of another cloud', () => {
    const { errors } = parseState([
      ['cloud', 'gcp'],
      ['agentMachine', 'm7g.xlarge'],
    ]);
    expect(errors['agentMachine']).toMatch(/isn’t available on the selected cloud/);
  });

  it('never throws or yields NaN or Infinity for any text', () => {
    const keys = INPUTS.map((spec) => spec.key);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...keys, 'asOf', 'x'), fc.oneof(fc.string(), fc.double().map(String))), {
          maxLength: 8,
        }),
        (fields) => {
          for (const system of estimateState(parseState(fields).state).systems) {
            if (system.available) {
              expect(system.total.toDecimal().isFinite() && system.total.gte(0)).toBe(true);
            }
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('estimates finite amounts at the bounds of every input', () => {
    for (const spec of INPUTS) {
      const values =
        spec.kind === 'number'
          ? [spec.min, spec.max]
          : spec.kind === 'choice'
            ? spec.options.map((option) => option.value)
            : ['true', 'false'];
      for (const value of values) {
        for (const system of estimateState(withInput(DEFAULT_STATE, spec.key, value)).systems) {
          expect(!system.available || system.total.toDecimal().isFinite(), `${spec.key}=${value}`).toBe(true);
        }
      }
    }
  });
});

it('compares a system of Penstock in each latency mode', () => {
  const mode = inputNamed('latencyMode');
  const options = mode?.kind === 'choice' ? mode.options.map(({ value }) => value) : [];
  expect(options).toHaveLength(2);
  const compared = options.map((value) => oursIn(withInput(DEFAULT_STATE, 'latencyMode', value)).id);
  expect(new Set(compared).size).toBe(options.length);
  const { systems } = estimateState(DEFAULT_STATE, new Set(compared));
  expect(systems.map(({ ours }) => ours)).toEqual(options.map(() => true));
});
