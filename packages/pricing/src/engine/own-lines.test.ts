import { describe, expect, it } from 'vitest';
import { presetById } from '../presets/index.ts';
import { DEFAULT_STATE, estimateState, parseState, withInput } from '../state/index.ts';

function penstock(state = parseState(presetById('penstock-1-gib')?.fields ?? []).state) {
  const [system] = estimateState(state, new Set(['penstock'])).systems;
  if (system === undefined || !system.available) {
    throw new Error('Penstock is not available');
  }
  return system;
}

describe('what Penstock itself costs', () => {
  it('is shown line by line: agents, storage, requests of ingestion, readers and merging, NAT and egress', () => {
    const lines = penstock().lines.filter((line) => line.component !== 'vendor fee');
    expect(lines.map((line) => line.id)).toEqual([
      'agents',
      'object-storage',
      'put',
      'get',
      'merge-put',
      'merge-get',
      'nat-hours',
      'nat-data',
      'egress',
    ]);
    expect(lines.every((line) => line.amount.gt(0))).toBe(true);
  });

  it('has an infrastructure that is the sum of the lines that the cloud provider bills', () => {
    const system = penstock();
    const fees = system.lines.filter((line) => line.component === 'vendor fee').map((line) => line.amount.toDecimal());
    const infrastructure = fees.reduce((rest, fee) => rest.minus(fee), system.total.toDecimal());
    expect(system.infrastructure.toFixed()).toBe(infrastructure.toFixed());
  });

  it('includes the CPU of merging, and its network', () => {
    const loaded = [
      ['throughput', '4'],
      ['throughputUnit', 'GiB/s'],
      // One size, or fewer but larger machines might carry more.
      ['agentMachine', 'm8gn.xlarge'],
    ].reduce((state, [key = '', value = '']) => withInput(state, key, value), DEFAULT_STATE);
    const agents = (state: typeof loaded) => penstock(state).worksheet.value('agents').toNumber();
    expect(
      penstock(withInput(loaded, 'agentMergeCpu', '0'))
        .worksheet.value('cores')
        .toNumber(),
    ).toBeLessThan(penstock(loaded).worksheet.value('cores').toNumber());
    expect(agents(withInput(loaded, 'mergeRewrites', '0'))).toBeLessThan(agents(loaded));
  });

  it('does not grow in GETs with more readers in a zone, only with zones', () => {
    const gets = (key: string, value: string) =>
      penstock(withInput(DEFAULT_STATE, key, value)).worksheet.value('get_s');
    expect(gets('fanout', '9').eq(gets('fanout', '1'))).toBe(true);
    expect(gets('zones', '4').gt(gets('zones', '3'))).toBe(true);
  });
});
