import { labelBox } from '@penstock/charts/plane';
import { DEFAULT_STATE, estimateState, INPUTS, SYSTEMS, withInput } from '@penstock/pricing';
import { describe, expect, it } from 'vitest';
import { prepareLatencyPlot } from './prepare-latency-plot';

type Box = ReturnType<typeof labelBox>;
const overlap = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

describe('cost against latency', () => {
  it('marks systems with a known p99 and lists the others', () => {
    const { marks, without } = prepareLatencyPlot(estimateState(DEFAULT_STATE));
    expect(marks.length + without.length).toBe(SYSTEMS.length);
    expect(without).toEqual([
      'Amazon MSK Serverless',
      'Redpanda',
      'Redpanda, tiered storage (license not included)',
      'Redpanda Serverless',
      'Elastic Stream / AutoMQ',
    ]);
    expect(marks.filter((mark) => mark.estimated).map((mark) => mark.id)).toEqual(['penstock', 'penstock-express']);
    const byId = new Map(marks.map((mark) => [mark.id, mark]));
    expect((byId.get('penstock-express')?.x ?? 0) < (byId.get('penstock')?.x ?? 0)).toBe(true);
    expect((byId.get('kafka')?.y ?? 100) < (byId.get('penstock')?.y ?? 0)).toBe(true);
  });

  it('keeps marks and labels inside and labels apart', () => {
    for (const spec of INPUTS) {
      for (const value of spec.kind === 'number' ? [spec.min, spec.max] : []) {
        const { marks } = prepareLatencyPlot(estimateState(withInput(DEFAULT_STATE, spec.key, value)));
        const boxes = marks.map((mark) => labelBox({ ...mark, text: mark.shortName }, mark.labelY));
        for (const [index, box] of boxes.entries()) {
          const covered = boxes.filter((other, at) => at !== index && overlap(box, other));
          expect(covered, `${spec.key}=${value}: ${marks[index]?.id}`).toEqual([]);
        }
        for (const mark of marks) {
          const places = [mark.x, mark.y, mark.labelY];
          expect(
            places.every((at) => at >= 0 && at <= 100),
            `${spec.key}=${value}: ${mark.id}`,
          ).toBe(true);
        }
      }
    }
  });
});
