import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectCapturesToStay } from '../testing/captures.ts';
import {
  APPEND,
  type CapturedProducers,
  FENCED,
  lastSequenceOf,
  OUT_OF_ORDER,
  type ProducerRecord,
  ProducerTable,
  producersOf,
} from './producer-table.ts';

const MAX_SEQUENCE = 0x7fff_ffff;

/** A model of the table as a map of objects, as in Kafka's ProducerStateManager. */
class Model {
  producers = new Map<number, ProducerRecord>();

  judge(producerId: number, epoch: number, firstSequence: number, records: number): number {
    const known = this.producers.get(producerId);
    if (known === undefined) {
      return APPEND;
    }
    if (epoch !== known.epoch) {
      return epoch < known.epoch ? FENCED : firstSequence === 0 ? APPEND : OUT_OF_ORDER;
    }
    const lastSequence = lastSequenceOf(firstSequence, records);
    const same = known.batches.find(
      (batch) => batch.firstSequence === firstSequence && batch.lastSequence === lastSequence,
    );
    const last = known.batches.at(-1)?.lastSequence ?? -1;
    const expected = last === MAX_SEQUENCE ? 0 : last + 1;
    return same?.baseOffset ?? (firstSequence === expected ? APPEND : OUT_OF_ORDER);
  }

  remember(producerId: number, epoch: number, firstSequence: number, records: number, base: number, nowMs: number) {
    const known = this.producers.get(producerId);
    const batches = known?.epoch === epoch ? known.batches : [];
    const batch = { firstSequence, lastSequence: lastSequenceOf(firstSequence, records), baseOffset: base };
    this.producers.set(producerId, {
      producerId,
      epoch,
      lastSeenMs: nowMs,
      batches: [...batches, batch].slice(-5),
    });
  }

  expire(upToMs: number): number {
    const gone = [...this.producers.values()].filter(({ lastSeenMs }) => lastSeenMs <= upToMs);
    for (const { producerId } of gone) {
      this.producers.delete(producerId);
    }
    return gone.length;
  }
}

const anId = fc.oneof(fc.nat(150), fc.constantFrom(2 ** 32 + 5, 2 ** 53 - 2));
const aStep = fc.oneof(
  {
    arbitrary: fc.record({
      ids: fc.array(anId, { minLength: 1, maxLength: 120, size: 'max' }),
      epoch: fc.nat(2),
      // Usually the next one, so that the windows fill up.
      sequence: fc.option(fc.constantFrom(0, 1, 5, MAX_SEQUENCE - 1, MAX_SEQUENCE), { nil: undefined, freq: 3 }),
      records: fc.integer({ min: 1, max: 4 }),
      // Time may even go back.
      passMs: fc.integer({ min: -5, max: 20 }),
    }),
    weight: 5,
  },
  { arbitrary: fc.record({ expireMs: fc.nat(100) }), weight: 1 },
);
type Step = typeof aStep extends fc.Arbitrary<infer S> ? S : never;

class Pair {
  table = new ProducerTable();
  model = new Model();
  nowMs = 1_000;
  #offset = 0;

  do(step: Step): void {
    const { table, model } = this;
    if ('expireMs' in step) {
      expect(table.expire(this.nowMs - step.expireMs)).toBe(model.expire(this.nowMs - step.expireMs));
      return;
    }
    this.nowMs += step.passMs;
    for (const producerId of step.ids) {
      const known = model.producers.get(producerId);
      const last = known?.batches.at(-1)?.lastSequence ?? -1;
      const epoch = step.sequence === undefined ? (known?.epoch ?? step.epoch) : step.epoch;
      const sequence = step.sequence ?? (last === MAX_SEQUENCE ? 0 : last + 1);
      const row = table.find(producerId);
      const verdict = table.judge(row, epoch, sequence, step.records);
      expect(verdict).toBe(model.judge(producerId, epoch, sequence, step.records));
      if (verdict === APPEND) {
        table.remember(row, producerId, epoch, sequence, step.records, this.#offset, this.nowMs);
        model.remember(producerId, epoch, sequence, step.records, this.#offset, this.nowMs);
        this.#offset += step.records;
      }
    }
  }

  expectSame(): void {
    const byId = (a: ProducerRecord, b: ProducerRecord): number => a.producerId - b.producerId;
    expect([...this.table.records()].sort(byId)).toEqual([...this.model.producers.values()].sort(byId));
    expect(this.table.size).toBe(this.model.producers.size);
  }
}

const imageOf = (captured: CapturedProducers): ProducerRecord[] => [...producersOf(captured)];

describe('the producers of a partition', () => {
  it('are checked, remembered and expired like objects in a map', () => {
    fc.assert(
      fc.property(fc.array(aStep, { maxLength: 30, size: 'max' }), (steps) => {
        const pair = new Pair();
        for (const step of steps) {
          pair.do(step);
        }
        pair.expectSame();
      }),
      { numRuns: 50 },
    );
  });

  it('stay unchanged in a capture and continue normally', () => {
    expectCapturesToStay({ create: () => new Pair(), aStep, imageOf, numRuns: 25 });
  });

  it('continue from a restored table exactly as from the saved one', () => {
    const someSteps = fc.array(aStep, { maxLength: 12, size: 'max' });
    fc.assert(
      fc.property(someSteps, someSteps, (before, after) => {
        const pair = new Pair();
        for (const step of before) {
          pair.do(step);
        }
        const restored = new ProducerTable();
        for (const record of pair.table.records()) {
          restored.restore(record);
        }
        const original = pair.table;
        const other = new Pair();
        for (const step of before) {
          other.do(step);
        }
        other.table = restored;
        for (const step of after) {
          pair.do(step);
          other.do(step);
        }
        expect([...restored.records()]).toEqual([...original.records()]);
      }),
      { numRuns: 20 },
    );
  });

  it('use about 120 bytes each from a hundred on, and free memory', () => {
    const table = new ProducerTable();
    let mostPerProducer = 0;
    for (let id = 1; id <= 5_000; id += 1) {
      table.remember(-1, id, 0, 0, 1, id, id);
      mostPerProducer = id < 100 ? 0 : Math.max(mostPerProducer, table.memoryBytes / id);
    }
    expect(mostPerProducer).toBeLessThan(128);
    table.expire(4_900);
    expect(table.size).toBe(100);
    expect(table.memoryBytes / 100).toBeLessThan(200);
    table.expire(5_000);
    expect(table.memoryBytes).toBe(0);
  });
});
