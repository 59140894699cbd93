import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SlotIndex } from './slot-index.ts';

/** Random hashes, and some that collide in their top bits or entirely. */
const aHash = fc.oneof(
  fc.integer({ min: 0, max: 0xffff_ffff }),
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: 0, max: 0xff }).map((low) => 0xabcd_0000 + low),
);

describe('the slot index', () => {
  it('finds what a plain map finds, however it grows and shrinks', () => {
    const aStep = fc.record({ hashes: fc.array(aHash, { maxLength: 300, size: 'max' }), removed: fc.nat(400) });
    fc.assert(
      fc.property(fc.array(aStep, { maxLength: 12, size: 'max' }), (steps) => {
        const index = new SlotIndex();
        const model: { hash: number; slot: number }[] = [];
        let slots = 0;
        for (const { hashes, removed } of steps) {
          for (const hash of hashes) {
            index.add(hash, slots);
            model.push({ hash, slot: slots });
            slots += 1;
          }
          for (const { hash, slot } of model.splice(removed % 7, removed)) {
            index.remove(hash, slot);
          }
          const [moved] = model;
          if (moved !== undefined) {
            index.move(moved.hash, moved.slot, slots);
            moved.slot = slots;
            slots += 1;
          }
        }
        expect(index.size).toBe(model.length);
        const byHash = Map.groupBy(model, ({ hash }) => hash);
        for (const [hash, entries] of byHash) {
          const found = entries.map((_, nth) => index.find(hash, nth));
          expect(found.sort((a, b) => a - b)).toEqual(entries.map(({ slot }) => slot).sort((a, b) => a - b));
          expect(index.find(hash, entries.length)).toBe(-1);
        }
        expect(byHash.has(77) ? -1 : index.find(77)).toBe(-1);
      }),
      { numRuns: 60 },
    );
  });

  it('uses at most 14 bytes per slot at any size, and frees them', () => {
    const index = new SlotIndex();
    const hashOf = (slot: number): number => Math.imul(slot, 0x9e37_79b1) >>> 0;
    let mostPerSlot = 0;
    for (let slot = 0; slot < 60_000; slot += 1) {
      index.add(hashOf(slot), slot);
      mostPerSlot = slot < 2_000 ? 0 : Math.max(mostPerSlot, index.memoryBytes / (slot + 1));
    }
    expect(mostPerSlot).toBeLessThan(14);
    for (let slot = 0; slot < 60_000; slot += 1) {
      index.remove(hashOf(slot), slot);
    }
    // A directory of references remains, and a segment or two.
    expect(index.memoryBytes).toBeLessThan(8_000);
  });
});
