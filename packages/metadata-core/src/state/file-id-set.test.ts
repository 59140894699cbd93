import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Id, idKey } from '../model/ids.ts';
import { FileIdSet } from './file-id-set.ts';

const anId: fc.Arbitrary<Id> = fc.uint8Array({ minLength: 16, maxLength: 16 });

it('holds exactly the added ids, once and in order', () => {
  fc.assert(
    fc.property(fc.array(anId, { maxLength: 200, size: 'max' }), fc.array(anId), (added, others) => {
      const set = new FileIdSet();
      const model = new Map<string, Id>();
      for (const id of [...added, ...added]) {
        expect(set.add(id)).toBe(!model.has(idKey(id)));
        model.set(idKey(id), id);
      }
      expect(set.size).toBe(model.size);
      expect([...set.values()].map(idKey)).toEqual([...model.keys()]);
      expect(Buffer.from(FileIdSet.of(set.bytes()).bytes()).equals(Buffer.concat([...model.values()]))).toBe(true);
      for (const id of [...added, ...others]) {
        expect(set.has(id)).toBe(model.has(idKey(id)));
      }
    }),
  );
});
