import { describe, expect, it } from 'vitest';
import { presetById } from '../presets/index.ts';
import { DEFAULT_STATE, estimateState, parseState, withInput } from '../state/index.ts';

/** Files per second and milliseconds of a produce (p50) on S3 Express. */
function onExpress(id: string, inputs: Readonly<Record<string, string>>) {
  const state = Object.entries(inputs).reduce((before, [key, text]) => withInput(before, key, text), DEFAULT_STATE);
  const [system] = estimateState(state, new Set([id])).systems;
  if (system === undefined || !system.available) {
    throw new Error(`${id} is not available`);
  }
  return { files: system.worksheet.value('put_s').toNumber(), produceP50: system.latency.produceP50 };
}

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

  it('follows our own batch interval on S3 Express, and WarpStream’s row its own', () => {
    expect(onExpress('penstock-express', {})).toEqual({ files: 120, produceP50: 67.5 });
    expect(onExpress('warpstream-express', {})).toEqual({ files: 60, produceP50: 80 });
    expect(onExpress('penstock-express', { landingBatchMs: '100' })).toEqual({ files: 30, produceP50: 105 });
    expect(onExpress('warpstream-express', { landingBatchMs: '100' }).produceP50).toBe(80);
    expect(onExpress('penstock-express', { expressBatchMs: '100' }).produceP50).toBe(67.5);
    expect(onExpress('warpstream-express', { expressBatchMs: '100' })).toEqual({ files: 30, produceP50: 105 });
  });
});
