import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrderedTexts } from './ordered-texts.ts';

describe('ordered texts', () => {
  it('are those that a sorted array would have', () => {
    const aStep = fc.record({ isAdded: fc.boolean(), number: fc.integer({ min: 0, max: 2_000 }) });
    fc.assert(
      fc.property(fc.array(aStep, { maxLength: 4_000, size: 'max' }), (steps) => {
        const ordered = new OrderedTexts();
        const expected = new Set<string>();
        for (const { isAdded, number } of steps) {
          const text = `text ${number}`;
          if (isAdded) {
            ordered.add(text);
            expected.add(text);
          } else {
            ordered.delete(text);
            expected.delete(text);
          }
        }
        expect([...ordered.following(null)]).toEqual([...expected].sort());
      }),
      { numRuns: 50 },
    );
  });

  it('go on after a text that was never there', () => {
    const ordered = new OrderedTexts();
    for (const text of ['d', 'b', 'f']) {
      ordered.add(text);
    }
    expect(['', 'a', 'b', 'c', 'f', 'g'].map((after) => ordered.next(after))).toEqual([
      'b',
      'b',
      'd',
      'd',
      undefined,
      undefined,
    ]);
  });

  it('may have the empty text, which comes first', () => {
    const ordered = new OrderedTexts();
    ordered.add('a');
    ordered.add('');
    expect([...ordered.following(null)]).toEqual(['', 'a']);
    expect([...ordered.following('')]).toEqual(['a']);
  });

  it('go on where they are when others are added and deleted', () => {
    const ordered = new OrderedTexts();
    const texts = Array.from({ length: 2_000 }, (_, index) => String(index).padStart(4, '0'));
    for (const text of texts) {
      ordered.add(text);
    }
    const read: string[] = [];
    for (const text of ordered.following(null)) {
      read.push(text);
      ordered.delete(text);
      ordered.add(`${text}!`);
      ordered.delete(`${text}!`);
    }
    expect(read).toEqual(texts);
    expect(ordered.next(null)).toBe(undefined);
  });
});
