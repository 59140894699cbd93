import { crc32 as oracle } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader } from '../bytes/byte-reader.ts';
import { ByteWriter } from '../bytes/byte-writer.ts';
import { CorruptDataError } from '../model/corrupt-data-error.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { TestCluster } from '../testing/cluster.ts';
import { TestGroup } from '../testing/groups.ts';
import { SAMPLE_COMMANDS } from '../testing/sample-commands.ts';
import { readColumn, writeColumn } from './columns.ts';
import { crc32 } from './crc32.ts';
import { decodeEntry, encodeEntry } from './entry.ts';
import { seal } from './envelope.ts';
import { SECTION_KINDS, type SectionKind, SectionWriter } from './section.ts';
import { decodeSnapshot, encodeSnapshot } from './snapshot.ts';
import { captureSnapshot } from './snapshot-capture.ts';
import { SnapshotReader } from './snapshot-reader.ts';

const entry = encodeEntry({ nowMs: 5, commands: [{ kind: 'delete-groups', groupIds: ['g', 'h'] }] });
const snapshot = encodeSnapshot(TestGroup.stable('a', 'b').cluster.state);

function partsOf(state: ClusterState): Uint8Array[] {
  const capture = captureSnapshot(state);
  const parts: Uint8Array[] = [];
  for (let part = capture.nextPart(); part !== undefined; part = capture.nextPart()) {
    parts.push(part);
  }
  return parts;
}

describe('damaged data', () => {
  it.each([
    ['journal entry', entry, decodeEntry],
    ['snapshot', snapshot, decodeSnapshot],
  ])('is detected wherever a bit flips in a %s', (_what, good, decode) => {
    for (let at = 0; at < good.length; at += 1) {
      const bad = good.slice();
      bad[at] = (bad[at] ?? 0) ^ 0x10;
      expect(() => decode(bad)).toThrow(CorruptDataError);
    }
  });

  it.each([
    ['journal entry', entry, decodeEntry],
    ['snapshot', snapshot, decodeSnapshot],
  ])('is detected wherever a %s is truncated', (_what, good, decode) => {
    for (let length = 0; length < good.length; length += 1) {
      expect(() => decode(good.subarray(0, length))).toThrow(CorruptDataError);
    }
  });

  it('with a valid checksum only throws CorruptDataError', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom(1, 2, 3),
        fc.constantFrom(decodeEntry, decodeSnapshot),
        (body, version, decode) => {
          try {
            decode(seal(version, (to) => to.raw(body)));
          } catch (error) {
            expect(error).toBeInstanceOf(CorruptDataError);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('is refused by its number if the version is newer', () => {
    expect(() => decodeEntry(seal(5, (to) => to.unsigned(1)))).toThrow('version 5 is not one of 1 to 4');
  });
});

describe('the parts of a snapshot', () => {
  const cluster = new TestCluster();
  cluster.do(SAMPLE_COMMANDS['register-agent']);
  cluster.do(SAMPLE_COMMANDS['create-acls']);
  cluster.do(SAMPLE_COMMANDS['alter-group-configs']);
  const topicId = cluster.topic(1, 3);
  for (let at = 0; at < 40; at += 1) {
    const runs = [0, 1, 2].map((partition) => ({
      topic: topicId,
      partition,
      batches: [{ records: 2, producer: [at % 5, at, 0] as const }],
    }));
    cluster.commit(runs);
  }
  cluster.do({ ...SAMPLE_COMMANDS['init-producer-id'], requestId: topicId });
  cluster.do({
    kind: 'delete-records',
    partitions: [0, 1, 2].map((partition) => ({ topicId, partition, beforeOffset: 9 })),
  });
  cluster.do({
    ...SAMPLE_COMMANDS['commit-offsets'],
    generationId: -1,
    memberId: '',
    groupInstanceId: null,
    offsets: [{ topic: 'topic-1', partition: 1, offset: 250, leaderEpoch: -1, metadata: 'note' }],
  });
  cluster.do(SAMPLE_COMMANDS['set-offsets-retention']);
  cluster.do(SAMPLE_COMMANDS['alter-group-configs']);
  for (const transactionalId of ['aborted', 'open']) {
    const init = { ...SAMPLE_COMMANDS['init-transactional-producer'], transactionalId };
    const { producerId, producerEpoch } = cluster.do(init);
    const transaction = { transactionalId, addsPartitions: true };
    cluster.commit([
      { topic: topicId, batches: [{ records: 2, producer: [producerId, producerEpoch, 0], transaction }] },
    ]);
  }
  cluster.do({ kind: 'abort-transaction', transactionalId: 'aborted', producerId: -1 });
  const parts = partsOf(cluster.state);
  const read = (all: readonly Uint8Array[]): void => {
    const reader = new SnapshotReader();
    for (const part of all) {
      reader.push(part);
    }
    reader.finish();
  };
  const kinds = Object.entries(SECTION_KINDS);

  it.each(kinds)('are all present: %s', (_name, kind) => {
    expect(parts.some((part) => part[1] === kind)).toBe(true);
    expect(() => read(parts)).not.toThrow();
  });

  it.each(kinds)('are never damaged unnoticed in %s', (_name, kind) => {
    const at = parts.findIndex((part) => part[1] === kind);
    const good = parts[at] ?? new Uint8Array();
    for (let byte = 0; byte < good.length; byte += 1) {
      const bad = good.slice();
      bad[byte] = (bad[byte] ?? 0) ^ 0x04;
      expect(() => read(parts.with(at, bad))).toThrow(CorruptDataError);
    }
    for (let length = 0; length < good.length; length += 1) {
      expect(() => read(parts.with(at, good.subarray(0, length)))).toThrow(CorruptDataError);
    }
  });

  it.each(kinds)('are detected when missing, repeated or too early: %s', (_name, kind) => {
    const at = parts.findIndex((part) => part[1] === kind);
    const part = parts[at] ?? new Uint8Array();
    expect(() => read(parts.toSpliced(at, 1))).toThrow(CorruptDataError);
    expect(() => read(parts.toSpliced(at, 0, part))).toThrow(CorruptDataError);
    expect(() => read([part, ...parts.toSpliced(at, 1)].slice(at === 0 ? 1 : 0))).toThrow(CorruptDataError);
  });

  it('from another snapshot are detected even when intact', () => {
    cluster.commit([{ topic: topicId, batches: [{ records: 1 }] }]);
    const others = partsOf(cluster.state);
    for (const [at, part] of parts.entries()) {
      const other = others[at] ?? new Uint8Array();
      if (Buffer.compare(part, other) !== 0) {
        expect(() => read(parts.with(at, other))).toThrow(CorruptDataError);
      }
    }
  });

  it('with valid checksums only throw CorruptDataError', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.uint8Array({ maxLength: 200 }),
        fc.boolean(),
        ([name], body, isLate) => {
          const writer = new SectionWriter();
          const section = (kind: string, bytes: Uint8Array) => [
            ...writer.sections(kind as SectionKind, [(to) => to.raw(bytes)]),
          ];
          // Some kinds need the sections before them.
          const front = isLate
            ? parts.slice(0, 3).flatMap((part) => {
                const kind = kinds.find(([, number]) => number === part[1])?.[0] ?? 'end';
                return section(kind, part.subarray(10, -4));
              })
            : [];
          try {
            read([...front, ...section(name, body), writer.end()]);
          } catch (error) {
            expect(error).toBeInstanceOf(CorruptDataError);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('may be split anywhere else in transit', () => {
    const whole = encodeSnapshot(cluster.state);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 60 }), (lengths) => {
        const reader = new SnapshotReader();
        let at = 0;
        for (const length of lengths) {
          reader.push(whole.subarray(at, at + length));
          at += length;
        }
        reader.push(whole.subarray(at));
        expect(encodeSnapshot(reader.finish())).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  });
});

describe('columns', () => {
  it('return every safe integer, encoded in minimal width', () => {
    const aNumber = fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.nat(300));
    fc.assert(
      fc.property(fc.array(aNumber, { maxLength: 50 }), (numbers) => {
        const to = new ByteWriter();
        writeColumn(to, Float64Array.from(numbers), numbers.length);
        const from = new ByteReader(to.written());
        // -0 is returned as 0.
        expect([...readColumn(from, numbers.length)]).toEqual(numbers.map((number) => number + 0));
        from.end();
      }),
    );
    for (const [range, width] of [
      [0, 0],
      [255, 1],
      [256, 2],
      [2 ** 32 - 1, 4],
      [2 ** 32, 5],
      [2 ** 53 - 1, 7],
    ] as const) {
      const to = new ByteWriter();
      writeColumn(to, Float64Array.of(0, range), 2);
      expect(to.length).toBe(2 + 2 * width);
    }
  });
});

describe('primitives', () => {
  it('return every exactly representable integer', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeNat(), (signed, unsigned) => {
        const to = new ByteWriter();
        to.signed(signed);
        to.unsigned(unsigned);
        const from = new ByteReader(to.written());
        expect([from.signed(), from.unsigned(), from.remaining]).toEqual([signed, unsigned, 0]);
      }),
    );
    for (const edge of [
      0,
      -1,
      63,
      64,
      -64,
      -65,
      127,
      128,
      2 ** 31 - 1,
      2 ** 31,
      Number.MAX_SAFE_INTEGER,
      -Number.MAX_SAFE_INTEGER,
    ]) {
      const to = new ByteWriter();
      to.signed(edge);
      expect(new ByteReader(to.written()).signed()).toBe(edge);
    }
  });

  it('compute CRC-32 as specified', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf4_3926);
    expect(crc32(new Uint8Array(0))).toBe(0);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(9), (bytes, skipped) => {
        const part = bytes.subarray(skipped);
        expect(crc32(part)).toBe(oracle(part));
      }),
    );
  });
});
