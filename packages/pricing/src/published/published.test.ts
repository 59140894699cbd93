import { describe, expect, it } from 'vitest';
import { PRESETS } from '../presets/index.ts';
import { PUBLISHED_FIGURES } from './index.ts';

describe('published figures', () => {
  it('each have a verdict, with a reason if they disagree', () => {
    for (const figure of PUBLISHED_FIGURES) {
      expect(figure.explanation.length, figure.label).toBeGreaterThan(10);
      if (figure.verdict === 'differs') {
        expect(figure.explanation, figure.label).not.toBe('The same after the document’s own rounding.');
      }
      expect(figure.computed === null).toBe(figure.kind !== 'derived');
    }
  });

  it('find the known errors', () => {
    const verdict = (label: string, stated: string) =>
      PUBLISHED_FIGURES.find((figure) => figure.label === label && figure.statedText === stated);
    expect(verdict('Replication', '$20,376')?.computed?.toFixed()).toBe('20736');
    expect(verdict('Machines', '$338')?.computed?.toFixed()).toBe('388.8');
    expect(verdict('PUT costs', '$1,034')?.computed?.toFixed()).toBe('878.688');
    expect(verdict('Kafka nodes for 1,000 MB/s, 100 partitions', '3')?.computed?.toFixed()).toBe('4');
  });

  it('are compared in the document’s unit or name another', () => {
    const figure = (label: string, stated: string) =>
      PUBLISHED_FIGURES.find((candidate) => candidate.label === label && candidate.statedText === stated);
    for (const [label, stated, computed] of [
      ['Data at rest, uncompressed, 7 days', '605 TiB', '590.625'],
      ['Producers to leaders', '$6,912', '6750'],
      ['Batches per second of the sticky partitioner', '7,629', '8192'],
      ['Upload fees', '$1,111', '1085.4'],
      ['Retrieval fees', '$416', '407.025'],
    ] as const) {
      expect(figure(label, stated), label).toMatchObject({ verdict: 'differs' });
      expect(figure(label, stated)?.computed?.toFixed(), label).toBe(computed);
      expect(figure(label, stated)?.explanation, label).toMatch(/The document (divides|takes) /);
    }
  });

  it('are not rounded until they agree: a million KiB is not a GiB', () => {
    const load = PUBLISHED_FIGURES.find(({ label }) => label.endsWith('called 1 GiB/s'));
    expect(load).toMatchObject({ verdict: 'differs', stated: '1024', unit: 'MiB/s' });
    expect(load?.computed?.toFixed()).toBe('976.5625');
  });

  it('have a unique id, and link to existing presets', () => {
    expect(new Set(PUBLISHED_FIGURES.map((figure) => figure.id)).size).toBe(PUBLISHED_FIGURES.length);
    for (const figure of PUBLISHED_FIGURES) {
      expect(figure.preset === null || PRESETS.some((preset) => preset.id === figure.preset), figure.label).toBe(true);
    }
  });
});
