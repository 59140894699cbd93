import { describe, expect, it } from 'vitest';
import { inOrderOfPage, OWN_TITLES } from './own-charts';
import { OWN_NOTES } from './own-notes';
import { readOwnResult } from './own-result';

describe('our own results', () => {
  it('are shown with hardware, date and command', () => {
    const result = readOwnResult('agent.json', {
      machine: { cpu: 'x', cores: 2, memory_gib: 4, stolen_percent: 8.5, date: '2026-11-21T11:21:00.644Z' },
      write_mib_per_s: 312.5,
      kafka_write_mib_per_s: 100,
      steady_puts_per_gib_by_partitions: { '288': 65.5 },
      load: { partitions: 288 },
    });
    expect(result).toMatchObject({
      name: 'agent',
      command: 'npm run bench -- agent',
      hardware: 'x, 2 cores, 4 GiB of memory',
      stolenPercent: 8.5,
      measuredAt: '2026-11-21',
    });
    expect(result?.charts[0]).toEqual({
      title: 'Write throughput at full speed',
      unit: 'MiB/s',
      bars: [
        { label: 'Penstock', value: 312.5, text: '312.5', ours: true },
        { label: 'Apache Kafka, one broker', value: 100, text: '100' },
      ],
    });
    expect(result?.charts.map((chart) => chart.title)).toEqual([
      'Write throughput at full speed',
      'PUTs per GiB at 100 MiB/s',
    ]);
    expect(result?.figures.map((figure) => figure.label)).toEqual(['Load: partitions']);
  });

  it('list figures without a chart, even if there are no charts', () => {
    const result = readOwnResult('metering.json', { folded_per_s: 12_345.678_9 });
    expect(result?.charts).toEqual([]);
    expect(result?.figures).toEqual([{ label: 'Folded', value: 12_345.678_9, text: '12,345.679 per s', ours: true }]);
  });

  it('are left out when the file holds no figures', () => {
    expect(readOwnResult('a.json', [])).toBeNull();
    expect(readOwnResult('a.json', { bench: 'x', p50_ms: null })).toBeNull();
  });

  it('follow the order of the page, with untitled ones last', () => {
    const named = ['charts', 'later', 'agent', 'workloads-standard'].map((name) => ({ name }));
    expect(inOrderOfPage(named).map(({ name }) => name)).toEqual(['workloads-standard', 'agent', 'charts', 'later']);
  });

  it('have notes only under names that have a title', () => {
    expect(Object.keys(OWN_NOTES).filter((name) => !(name in OWN_TITLES))).toEqual([]);
  });
});
