// Snapshot format of the remembered commit answers.
import { CommitAnswers, type RememberedAnswer } from '../state/commit-answers.ts';
import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { type Field, id, list, record, signed, unsigned } from './field.ts';

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

const imageCodec = record<ReturnType<CommitAnswers['image']>>({
  answers: list(
    record<RememberedAnswer>({
      fileId: id,
      answeredAtMs: unsigned,
      batchBaseOffset: offsets,
      batchErrorCode: codes,
      runLogStartOffset: offsets,
    }),
  ),
  forgottenUpToMs: signed,
});

export const answersCodec: Field<CommitAnswers> = {
  write: (to, answers) => imageCodec.write(to, answers.image()),
  read: (from) => CommitAnswers.restore(imageCodec.read(from)),
};
