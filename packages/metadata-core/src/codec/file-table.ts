// Snapshot format of the file table.
import { type FileRecord, FileTable, type QueuedFile } from '../state/file-table.ts';
import { type Field, id, list, nullable, record, unsigned } from './field.ts';

const fileCodec: Field<FileRecord> = record({
  id,
  bytes: unsigned,
  committedAtMs: unsigned,
  liveRuns: unsigned,
  liveBytes: unsigned,
});

const queueCodec: Field<QueuedFile[]> = list(record<QueuedFile>({ slot: unsigned, timeMs: unsigned }));

interface Image {
  /** By slot; null: the slot is free. */
  slots: (FileRecord | null)[];
  free: number[];
  waiting: QueuedFile[];
  leased: QueuedFile[];
}

const imageCodec: Field<Image> = record({
  slots: list(nullable(fileCodec)),
  free: list(unsigned),
  waiting: queueCodec,
  leased: queueCodec,
});

export const fileTableCodec: Field<FileTable> = {
  write: (to, files) => {
    const slots: (FileRecord | null)[] = [];
    for (const [slot, file] of files.files()) {
      while (slots.length < slot) {
        slots.push(null);
      }
      slots.push(file);
    }
    const free = slots.flatMap((file, slot) => (file === null ? [slot] : []));
    imageCodec.write(to, { slots, free, ...files.queues() });
  },
  read: (from) => {
    const image = imageCodec.read(from);
    const files = new FileTable();
    for (const [slot, file] of image.slots.entries()) {
      if (file !== null) {
        files.restore(slot, file);
      }
    }
    for (const { slot, timeMs } of image.waiting) {
      files.restoreQueued('waiting', slot, timeMs);
    }
    for (const { slot, timeMs } of image.leased) {
      files.restoreQueued('leased', slot, timeMs);
    }
    return files;
  },
};
