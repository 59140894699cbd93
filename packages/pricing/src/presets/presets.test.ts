import { describe, expect, it } from 'vitest';
import { SOURCES } from '../published/index.ts';
import { estimateState, parseState } from '../state/index.ts';
import { PRESETS, presetById, presetQuery, reproduce } from './index.ts';

describe('presets', () => {
  it.each(PRESETS.map((preset) => [preset.id, preset] as const))(
    '%s opens by its link and reproduces its stated figures',
    (_, preset) => {
      const { state, errors } = parseState(new URLSearchParams(presetQuery(preset)));
      expect(errors).toEqual({});
      const estimate = estimateState(state);
      for (const reproduction of preset.reproduces) {
        expect(reproduce(estimate, reproduction), JSON.stringify(reproduction.what)).toBe(reproduction.gives);
      }
    },
  );

  it('exist for every source', () => {
    expect(new Set(PRESETS.map((preset) => preset.source))).toEqual(new Set(Object.keys(SOURCES)));
    expect(presetById('bufstream')?.source).toBe('bufstream');
  });
});
