// Snapshot formats of the memory of commits: one for the rules level 1, one for what came after.
import { assert } from '../assert.ts';
import { ID_BYTES } from '../ids.ts';
import { CommitAnswers, type CommitAnswersImage } from '../state/commit-answers.ts';
import { CommitAnswersOfRules1 } from '../state/commit-answers-of-rules-1.ts';
import type { CommitMemory, RememberedAnswer } from '../state/commit-memory.ts';
import { type ByteReader, CorruptDataError } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { bytes, type Field, id, list, record, signed, unsigned } from './field.ts';

/** A column of offsets; each is written as the difference from the one before. */
const offsets: Field<Float64Array> = {
  write: (to: ByteWriter, column) => {
    to.unsigned(column.length);
    let before = 0;
    for (const value of column) {
      to.signed(value - before);
      before = value;
    }
  },
  read: (from: ByteReader) => {
    const column = new Float64Array(from.count());
    let value = 0;
    for (let at = 0; at < column.length; at += 1) {
      value += from.signed();
      column[at] = value;
    }
    return column;
  },
};

const codes: Field<Int32Array> = {
  write: (to, column) => {
    to.unsigned(column.length);
    for (const value of column) {
      to.unsigned(value);
    }
  },
  read: (from) => {
    const column = new Int32Array(from.count());
    for (let at = 0; at < column.length; at += 1) {
      column[at] = from.unsigned();
    }
    return column;
  },
};

const answer = record<RememberedAnswer>({
  fileId: id,
  answeredAtMs: unsigned,
  batchBaseOffset: offsets,
  batchErrorCode: codes,
  runLogStartOffset: offsets,
});

const imageOfRules1 = record<ReturnType<CommitAnswersOfRules1['image']>>({
  answers: list(answer),
  forgottenUpToMs: signed,
});

/** Snapshots up to version 2. */
export const answersOfRules1Codec: Field<CommitMemory> = {
  write: (to, memory) => {
    assert(memory instanceof CommitAnswersOfRules1, 'a cluster at level 1 has the memory of rules 1');
    imageOfRules1.write(to, memory.image());
  },
  read: (from) => CommitAnswersOfRules1.restore(imageOfRules1.read(from)),
};

const fileIds: Field<Uint8Array> = {
  write: bytes.write,
  read: (from) => {
    const ids = bytes.read(from);
    if (ids.length % ID_BYTES !== 0) {
      throw new CorruptDataError('a list of file ids ends within an id');
    }
    return ids;
  },
};

const image = record<CommitAnswersImage>({
  forgottenUpToMs: signed,
  answeredMs: list(unsigned),
  answers: list(answer),
  minutes: list(record<CommitAnswersImage['minutes'][number]>({ minute: unsigned, ids: fileIds })),
});

/** Snapshots from version 3 on. */
export const answersCodec: Field<CommitMemory> = {
  write: (to, memory) => {
    assert(memory instanceof CommitAnswers, 'a cluster above level 1 has the memory of rules 2');
    image.write(to, memory.image());
  },
  read: (from) => CommitAnswers.restore(image.read(from)),
};
