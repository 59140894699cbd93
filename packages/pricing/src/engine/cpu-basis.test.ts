import { describe, expect, it } from 'vitest';
import { SYSTEMS } from '../models/index.ts';
import { type CalculatorState, DEFAULT_STATE, estimateState, withInput, withInputs } from '../state/index.ts';

const loaded = withInputs(DEFAULT_STATE, {
  throughput: '8',
  throughputUnit: 'GiB/s',
  fanout: '1',
  // So little retention and so wide a network that CPU alone decides.
  retentionDays: '0.001',
  networkTarget: '1',
  agentMachine: 'm6in.4xlarge',
  brokerMachine: 'm6in.4xlarge',
});

function coresOf(state: CalculatorState, id: string): number {
  const [system] = estimateState(state, new Set([id])).systems;
  return system?.available ? system.worksheet.value('cores').toNumber() : Number.NaN;
}

describe('the CPU of machines', () => {
  it('names its basis for exactly the systems with machines', () => {
    for (const system of SYSTEMS) {
      expect(system.cpu !== undefined, system.id).toBe(system.machine !== undefined);
    }
  });

  it('has the same headroom for every system in core-seconds', () => {
    const tight = withInput(loaded, 'cpuTarget', '1');
    for (const { id } of SYSTEMS.filter((system) => system.machine !== undefined)) {
      expect(coresOf(loaded, id) / coresOf(tight, id), id).toBeCloseTo(2, 10);
    }
  });

  it('is alike for every system when assumed, as bills state', () => {
    const alike = withInput(loaded, 'cpuBasis', 'alike');
    for (const system of estimateState(alike).systems) {
      if (system.available && system.cpu !== null) {
        expect(system.worksheet.value('cores').toFixed(3), system.id).toBe('307.200');
        expect(system.cpu.kind).toBe('assumed');
      }
    }
  });

  // Published figures for Kafka on request.
  it('is measured for Penstock and Kafka by default', () => {
    const kinds = (state: CalculatorState) =>
      Object.fromEntries(
        estimateState(state).systems.flatMap((system) => (system.available ? [[system.id, system.cpu?.kind]] : [])),
      );
    expect(kinds(DEFAULT_STATE)).toMatchObject({
      penstock: 'measured',
      'kafka-follower': 'measured',
      warpstream: 'published',
      bufstream: 'published',
      redpanda: 'published',
      automq: 'assumed',
    });
    expect(kinds(withInput(DEFAULT_STATE, 'cpuBasis', 'published'))).toMatchObject({
      penstock: 'measured',
      'kafka-follower': 'published',
    });
  });
});
