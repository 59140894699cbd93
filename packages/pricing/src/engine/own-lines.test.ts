import { describe, expect, it } from 'vitest';
import type { InputValues } from '../inputs/index.ts';
import { presetById } from '../presets/index.ts';
import { DEFAULT_STATE, estimateState, parseState, withInput, withInputs } from '../state/index.ts';

/** Files per second and milliseconds of a produce (p50) on S3 Express. */
function onExpress(id: string, inputs: Partial<InputValues>) {
  const [system] = estimateState(withInputs(DEFAULT_STATE, inputs), new Set([id])).systems;
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

describe('the cost of Penstock', () => {
  it('is shown line by line', () => {
    const lines = penstock().lines.filter((line) => line.component !== 'vendor fee');
    expect(lines.map((line) => line.id)).toEqual([
      'agents',
      'object-storage',
      'restore-window',
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

  it('counts as infrastructure exactly what the cloud bills', () => {
    const system = penstock();
    const fees = system.lines.filter((line) => line.component === 'vendor fee').map((line) => line.amount.toDecimal());
    const infrastructure = fees.reduce((rest, fee) => rest.minus(fee), system.total.toDecimal());
    expect(system.infrastructure.toFixed()).toBe(infrastructure.toFixed());
  });

  it('includes the CPU of merging, and its network', () => {
    const loaded = withInputs(DEFAULT_STATE, {
      throughput: '4',
      throughputUnit: 'GiB/s',
      // One size, or fewer but larger machines might carry more.
      agentMachine: 'm8gn.xlarge',
    });
    const agents = (state: typeof loaded) => penstock(state).worksheet.value('agents').toNumber();
    expect(
      penstock(withInput(loaded, 'agentMergeCpu', '0'))
        .worksheet.value('cores')
        .toNumber(),
    ).toBeLessThan(penstock(loaded).worksheet.value('cores').toNumber());
    expect(agents(withInput(loaded, 'mergeRewrites', '0'))).toBeLessThan(agents(loaded));
  });

  it('adds no GETs for more readers in a zone, only for zones', () => {
    const gets = (inputs: Partial<InputValues>) => penstock(withInputs(DEFAULT_STATE, inputs)).worksheet.value('get_s');
    expect(gets({ fanout: '9' }).eq(gets({ fanout: '1' }))).toBe(true);
    expect(gets({ zones: '4' }).gt(gets({ zones: '3' }))).toBe(true);
  });

  // WarpStream's row follows its own.
  it('follows our own batch interval on S3 Express', () => {
    expect(onExpress('penstock-express', {})).toEqual({ files: 120, produceP50: 67.5 });
    expect(onExpress('warpstream-express', {})).toEqual({ files: 60, produceP50: 80 });
    expect(onExpress('penstock-express', { landingBatchMs: '100' })).toEqual({ files: 30, produceP50: 105 });
    expect(onExpress('warpstream-express', { landingBatchMs: '100' }).produceP50).toBe(80);
    expect(onExpress('penstock-express', { expressBatchMs: '100' }).produceP50).toBe(67.5);
    expect(onExpress('warpstream-express', { expressBatchMs: '100' })).toEqual({ files: 30, produceP50: 105 });
  });
});
