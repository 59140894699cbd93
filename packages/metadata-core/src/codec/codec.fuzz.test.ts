// Entries, job plans and snapshots whose contents are damaged and whose checksums are right: what a defect of a writer would leave.
// Decoders return a value or throw CorruptDataError, in bounded memory.
import { damagedBytes, runFuzz } from '@penstock/testing/fuzz';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CorruptDataError } from '../model/corrupt-data-error.ts';
import { aCommand } from '../testing/arbitrary-commands.ts';
import { id, START_MS } from '../testing/cluster.ts';
import { TestGroup } from '../testing/groups.ts';
import { SAMPLE_COMMANDS } from '../testing/sample-commands.ts';
import { decodeEntry, encodeEntry } from './entry.ts';
import { seal } from './envelope.ts';
import { decodeJobPlan, encodeJobPlan } from './job-plan.ts';
import { SECTION_KINDS, type SectionKind, SectionWriter } from './section.ts';
import { captureSnapshot } from './snapshot-capture.ts';
import { SnapshotReader } from './snapshot-reader.ts';

const CRC_BYTES = 4;
const MAX_HELD_BYTES = 64 * 1024 * 1024;

const heldBytes = (): number => {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

/** Decodes; undefined if the data is refused as corrupt. */
function decoded<T>(decode: () => T): T | undefined {
  const before = heldBytes();
  try {
    return decode();
  } catch (error) {
    expect(error).toBeInstanceOf(CorruptDataError);
    return undefined;
  } finally {
    expect(heldBytes() - before).toBeLessThan(MAX_HELD_BYTES);
  }
}

/** Damaged bodies with right checksums. */
function resealed(good: Uint8Array): fc.Arbitrary<Uint8Array> {
  return damagedBytes(good.subarray(1, -CRC_BYTES)).map((body) => seal(good[0] ?? 0, (to) => to.raw(body)));
}

const entries = Object.values(SAMPLE_COMMANDS).map((command) => encodeEntry({ nowMs: START_MS, commands: [command] }));

test('decodes or refuses any damaged journal entry', async () => {
  const property = fc.property(fc.constantFrom(...entries).chain(resealed), (bytes) => {
    const entry = decoded(() => decodeEntry(bytes));
    if (entry !== undefined) {
      // One value, whatever bytes it was read from.
      expect(decodeEntry(encodeEntry(entry))).toEqual(entry);
    }
  });
  await runFuzz('journal', 'entries', 4_000, property);
});

test('decodes every command as it was encoded', async () => {
  const property = fc.property(fc.array(aCommand, { maxLength: 3 }), fc.nat(), (commands, nowMs) => {
    const bytes = encodeEntry({ nowMs, commands });
    expect(encodeEntry(decodeEntry(bytes))).toEqual(bytes);
  });
  await runFuzz('journal', 'commands', 500, property);
});

const plan = encodeJobPlan({
  clusterId: 'cluster',
  agentId: 'agent-1',
  jobId: id(1),
  expiresAtMs: START_MS,
  order: {
    level: 1,
    isCompaction: false,
    sourceFileIds: [id(2), id(3)],
    topicIds: [id(4)],
    targetTopic: [0, 0],
    targetPartition: [0, 1],
    targetBaseOffset: [0, 300],
    targetEndOffset: [100, 70_000],
    targetSourceBytes: [1_000, 2_000],
  },
});

test('decodes or refuses any damaged job plan', async () => {
  const property = fc.property(resealed(plan), (bytes) => {
    const read = decoded(() => decodeJobPlan(bytes));
    if (read !== undefined) {
      expect(decodeJobPlan(encodeJobPlan(read))).toEqual(read);
    }
  });
  await runFuzz('journal', 'job-plans', 2_000, property);
});

/** Version, kind, number, length. */
const SECTION_HEAD_BYTES = 10;

function sectionsOf(): { kind: SectionKind; items: Uint8Array }[] {
  const { cluster } = TestGroup.stable('a', 'b');
  const topicId = cluster.topic(1, 3);
  for (let at = 0; at < 20; at += 1) {
    cluster.commit([{ topic: topicId, partition: at % 3, batches: [{ records: 2, producer: [at % 5, at, 0] }] }]);
  }
  cluster.do(SAMPLE_COMMANDS['register-agent']);
  cluster.do(SAMPLE_COMMANDS['create-acls']);
  cluster.do(SAMPLE_COMMANDS['alter-group-configs']);
  cluster.do(SAMPLE_COMMANDS['set-offsets-retention']);
  const init = { ...SAMPLE_COMMANDS['init-transactional-producer'], transactionalId: 'open' };
  const { producerId, producerEpoch } = cluster.do(init);
  const transaction = { transactionalId: 'open', addsPartitions: true };
  cluster.commit([
    { topic: topicId, batches: [{ records: 2, producer: [producerId, producerEpoch, 0], transaction }] },
  ]);
  const capture = captureSnapshot(cluster.state);
  const sections: { kind: SectionKind; items: Uint8Array }[] = [];
  for (let part = capture.nextPart(); part !== undefined; part = capture.nextPart()) {
    const kind = Object.entries(SECTION_KINDS).find(([, number]) => number === part[1])?.[0] as SectionKind;
    sections.push({ kind, items: part.subarray(SECTION_HEAD_BYTES, -CRC_BYTES) });
  }
  return sections.filter(({ kind }) => kind !== 'end');
}

test('reads or refuses any snapshot with a damaged part', async () => {
  const sections = sectionsOf();
  const damage = fc
    .nat(sections.length - 1)
    .chain((at) => damagedBytes(sections[at]?.items ?? new Uint8Array(0)).map((items) => ({ at, items })));
  const property = fc.property(damage, ({ at, items }) => {
    decoded(() => {
      const writer = new SectionWriter();
      const reader = new SnapshotReader();
      for (const [index, section] of sections.entries()) {
        const bytes = index === at ? items : section.items;
        for (const part of writer.sections(section.kind, [(to) => to.raw(bytes)])) {
          reader.push(part);
        }
      }
      reader.push(writer.end());
      return reader.finish();
    });
  });
  await runFuzz('journal', 'snapshots', 2_000, property);
});
