// Snapshot format of the file table.
import { type FileRecord, FileTable, type FileTableImage } from '../state/file-table.ts';
import { type Field, id, list, nullable, record, unsigned } from './field.ts';

const fileCodec: Field<FileRecord> = record({
  id,
  bytes: unsigned,
  committedAtMs: unsigned,
  liveRuns: unsigned,
  liveBytes: unsigned,
});

const slotTimeCodec: Field<[number, number]> = {
  write: (to, [slot, timeMs]) => {
    to.unsigned(slot);
    to.unsigned(timeMs);
  },
  read: (from) => {
    const slot = from.unsigned();
    return [slot, from.unsigned()];
  },
};

const imageCodec: Field<FileTableImage> = record({
  slots: list(nullable(fileCodec)),
  free: list(unsigned),
  waiting: list(slotTimeCodec),
  leased: list(slotTimeCodec),
});

export const fileTableCodec: Field<FileTable> = {
  write: (to, files) => imageCodec.write(to, files.image()),
  read: (from) => FileTable.restore(imageCodec.read(from)),
};
