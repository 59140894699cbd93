import { DEFAULT_STATE, estimateState, formatUsd, withInput } from '@penstock/pricing';
import { expect, test } from 'vitest';
import { prepareEstimate } from './prepare-estimate';

const state = withInput(DEFAULT_STATE, 'throughput', '1234');

test('results pass unchanged from the worker', () => {
  const prepared = prepareEstimate(state);
  expect(structuredClone(prepared)).toStrictEqual(prepared);
  expect(JSON.parse(JSON.stringify(prepared))).toEqual(prepared);
});

test('the totals shown are those of the estimate, to the cent', () => {
  const { systems } = estimateState(state);
  const prepared = prepareEstimate(state);
  const totals = Object.fromEntries(
    systems.flatMap((system) => (system.available ? [[system.id, formatUsd(system.total)]] : [])),
  );
  const shown = prepared.bars.flatMap(({ id, totalText }) => (totalText === null ? [] : [[id, totalText]]));
  expect(Object.fromEntries(shown)).toEqual(totals);
  expect(prepared.load).toMatchObject({ isAvailable: true, totalText: totals[prepared.ours] });
  expect(Object.fromEntries(prepared.latencyRows.map(({ id, totalText }) => [id, totalText]))).toEqual(totals);
});

test('a system that is not available says why', () => {
  const prepared = prepareEstimate(withInput(DEFAULT_STATE, 'cloud', 'gcp'));
  const missing = prepared.bars.filter(({ totalText }) => totalText === null);
  expect(missing.length).toBeGreaterThan(0);
  expect(missing.every(({ reason }) => reason?.includes('Google Cloud'))).toBe(true);
  expect(
    prepared.bills
      .filter(({ totalText }) => totalText === null)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(missing.map(({ id }) => id).sort());
});
