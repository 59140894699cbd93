import { DEFAULT_STATE, estimateState, INPUTS, withInput } from '@penstock/pricing';
import { describe, expect, it } from 'vitest';
import { prepareLatencyPlot, spreadLabels } from './prepare-latency-plot';

describe('labels beside marks', () => {
  it.each([
    [
      [10, 50, 90],
      [10, 50, 90],
    ],
    [
      [10, 11, 12],
      [10, 16, 22],
    ],
    [
      [99, 98],
      [100, 94],
    ],
    [[], []],
  ])('wanted at %j stand at %j', (wanted, placed) => {
    expect(spreadLabels(wanted, 6)).toEqual(placed);
  });
});

describe('cost against latency', () => {
  it('has a mark for every system with a published or estimated p99, and names the others', () => {
    const { marks, without } = prepareLatencyPlot(estimateState(DEFAULT_STATE));
    expect(marks.length + without.length).toBe(12);
    expect(without).toEqual(['Redpanda', 'Elastic Stream / AutoMQ']);
    expect(marks.filter((mark) => mark.estimated).map((mark) => mark.id)).toEqual(['penstock', 'penstock-express']);
    const byId = new Map(marks.map((mark) => [mark.id, mark]));
    expect((byId.get('penstock-express')?.x ?? 0) < (byId.get('penstock')?.x ?? 0)).toBe(true);
    expect((byId.get('kafka')?.y ?? 100) < (byId.get('penstock')?.y ?? 0)).toBe(true);
  });

  it('keeps every mark and label inside the drawing and labels apart, whatever the inputs', () => {
    for (const spec of INPUTS) {
      for (const value of spec.kind === 'number' ? [spec.min, spec.max] : []) {
        const { marks } = prepareLatencyPlot(estimateState(withInput(DEFAULT_STATE, spec.key, value)));
        for (const mark of marks) {
          const places = [mark.x, mark.y, mark.labelY];
          expect(
            places.every((at) => at >= 0 && at <= 100),
            `${spec.key}=${value}: ${mark.id}`,
          ).toBe(true);
          const neighbours = marks.filter((other) => other.id !== mark.id && other.side === mark.side);
          expect(neighbours.every((other) => Math.abs(other.labelY - mark.labelY) > 5.999)).toBe(true);
        }
      }
    }
  });
});
