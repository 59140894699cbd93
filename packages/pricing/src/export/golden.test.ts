import { describe, expect, it } from 'vitest';
import { CATALOGUE_ENTRIES } from '../catalogue/index.ts';
import { PRESETS } from '../presets/index.ts';
import { DEFAULT_STATE, estimateState, parseState, withInput } from '../state/index.ts';
import { billText } from './bill-text.ts';
import { estimateCsv, estimateJson } from './export.ts';

describe('golden bills', () => {
  it('of the default', async () => {
    await expect(billText(estimateState(DEFAULT_STATE))).toMatchFileSnapshot('../../golden/default.txt');
  });

  it.each(PRESETS.map((preset) => [preset.id, preset] as const))('of the preset %s', async (id, preset) => {
    const bill = billText(estimateState(parseState(preset.fields).state));
    await expect(`${preset.title}\n${preset.description}\n\n${bill}`).toMatchFileSnapshot(`../../golden/${id}.txt`);
  });

  it.each(['gcp', 'azure'])('of the default on %s', async (cloud) => {
    await expect(billText(estimateState(withInput(DEFAULT_STATE, 'cloud', cloud)))).toMatchFileSnapshot(
      `../../golden/default-${cloud}.txt`,
    );
  });
});

describe('the price ledger', () => {
  // Existing lines of golden/catalogue.txt do not change.
  it('is append-only', async () => {
    const ledger = CATALOGUE_ENTRIES.map((entry) =>
      [
        entry.from,
        entry.item,
        entry.tiers.map((tier) => `${tier.usd}${tier.upTo === null ? '' : ` to ${tier.upTo}`}`).join('; '),
        entry.unit,
        entry.verified ? 'verified' : 'unverified',
        `${entry.source} (${entry.sourceDate})`,
      ].join(' | '),
    ).sort();
    await expect(`${ledger.join('\n')}\n`).toMatchFileSnapshot('../../golden/catalogue.txt');
  });

  it('has one entry per item and day', () => {
    const keys = CATALOGUE_ENTRIES.map((entry) => `${entry.item} ${entry.from}`);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('exports', () => {
  const estimate = estimateState(DEFAULT_STATE);

  it('have the same total in JSON and CSV', () => {
    const json = estimateJson(DEFAULT_STATE, estimate);
    const csv = estimateCsv(DEFAULT_STATE, estimate);
    for (const system of json.systems) {
      if (system.available && 'totalUsd' in system) {
        expect(csv).toContain(`Total per month,,,,${system.totalUsd}`);
      }
    }
    expect(JSON.stringify(json)).not.toMatch(/NaN|Infinity/);
  });

  it('produce a CSV whose rows match its header', () => {
    const [head = '', first = ''] = estimateCsv(DEFAULT_STATE, estimate).split('\r\n');
    expect(head.split(',')).toHaveLength(13);
    expect(first.match(/("[^"]*"|[^,]*)(,|$)/g)?.length).toBeGreaterThanOrEqual(13);
  });
});
