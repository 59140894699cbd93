import { describe, expect, it } from 'vitest';
import { SYSTEMS } from '../models/index.ts';
import { DEFAULT_NOTES, INPUT_NOTES, notesFavouring, OMISSIONS } from './default-notes.ts';
import { INPUTS, inputNamed } from './index.ts';

describe('the list of defaults', () => {
  it('covers exactly the inputs', () => {
    expect(Object.keys(INPUT_NOTES).toSorted()).toEqual(INPUTS.map((spec) => spec.key).toSorted());
  });

  it('gives reasons and shows the defaults in force', () => {
    for (const note of DEFAULT_NOTES) {
      expect(note.why.length, note.id).toBeGreaterThan(8);
      const spec = inputNamed(note.id);
      if (spec?.kind === 'number') {
        expect(note.value).toBe(`${spec.default} ${spec.unit}`);
      }
    }
    for (const favours of ['Penstock', 'Rivals'] as const) {
      const reasons = notesFavouring(favours).map((note) => note.why);
      expect(new Set(reasons).size).toBe(reasons.length);
      const named = notesFavouring(favours).flatMap((note) => note.what.split('; '));
      expect(named).toHaveLength(DEFAULT_NOTES.filter((note) => note.favours === favours).length);
    }
  });

  it('names an omission for every existing system', () => {
    const named = new Set(OMISSIONS.flatMap((omission) => omission.systems));
    expect([...named].toSorted()).toEqual(SYSTEMS.map((system) => system.id).toSorted());
  });

  it('is not all in our favour, nor all against us', () => {
    expect(notesFavouring('Penstock').length).toBeGreaterThan(10);
    expect(notesFavouring('Rivals').length).toBeGreaterThan(10);
  });
});
