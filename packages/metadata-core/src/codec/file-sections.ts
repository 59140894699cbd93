// Snapshot format of the file table: the files by slot, and the two queues of dead files.

import type { ByteReader } from '../bytes/byte-reader.ts';
import { doubleAt } from '../model/checked.ts';
import { CorruptDataError } from '../model/corrupt-data-error.ts';
import { ID_BYTES } from '../model/ids.ts';
import { type CapturedFiles, type FileTable, filesOfPage, isFileLevel, queuedFiles } from '../state/file-table.ts';
import { BATCH_ROWS, Batch, readBatch } from './columns.ts';
import type { Item } from './section.ts';

/** `gap`: free slots between this file and the one before it. */
const COLUMNS = ['gap', 'bytes', 'committedAtMs', 'level', 'liveRuns', 'liveBytes'] as const;
const QUEUE_COLUMNS = ['slot', 'timeMs'] as const;
const QUEUES = ['waiting', 'leased'] as const;
/** A larger number of files is implausible. */
const MAX_SLOT = 2 ** 30;

export function* fileItems(captured: CapturedFiles): Iterable<Item> {
  const batch = new Batch(COLUMNS);
  const ids = new Uint8Array(BATCH_ROWS * ID_BYTES);
  let firstSlot = 0;
  let next = 0;
  const write: Item = (to) => {
    to.unsigned(firstSlot);
    const { rows } = batch;
    batch.flush(to);
    to.raw(ids.subarray(0, rows * ID_BYTES));
  };
  for (const [number, page] of captured.pages.entries()) {
    for (const [slot, file] of filesOfPage(number, page)) {
      if (batch.rows === 0) {
        firstSlot = slot;
        next = slot;
      }
      ids.set(file.id, batch.rows * ID_BYTES);
      const { bytes, committedAtMs, level, liveRuns, liveBytes } = file;
      batch.columns.gap[batch.rows] = slot - next;
      batch.columns.bytes[batch.rows] = bytes;
      batch.columns.committedAtMs[batch.rows] = committedAtMs;
      batch.columns.level[batch.rows] = level;
      batch.columns.liveRuns[batch.rows] = liveRuns;
      batch.columns.liveBytes[batch.rows] = liveBytes;
      batch.rows += 1;
      next = slot + 1;
      if (batch.isFull) {
        yield write;
      }
    }
  }
  if (batch.rows > 0) {
    yield write;
  }
}

export function readFiles(from: ByteReader, files: FileTable): void {
  let slot = from.unsigned();
  const { rows, columns } = readBatch(from, COLUMNS);
  const ids = from.view(rows * ID_BYTES);
  for (let row = 0; row < rows; row += 1) {
    slot += doubleAt(columns.gap, row);
    if (slot > MAX_SLOT) {
      throw new CorruptDataError('a file slot is beyond all bounds');
    }
    const level = doubleAt(columns.level, row);
    if (!isFileLevel(level)) {
      throw new CorruptDataError('a file has an unknown level');
    }
    files.restore(slot, {
      id: ids.subarray(row * ID_BYTES, (row + 1) * ID_BYTES),
      bytes: doubleAt(columns.bytes, row),
      committedAtMs: doubleAt(columns.committedAtMs, row),
      level,
      liveRuns: doubleAt(columns.liveRuns, row),
      liveBytes: doubleAt(columns.liveBytes, row),
    });
    slot += 1;
  }
}

export function* fileQueueItems(captured: CapturedFiles): Iterable<Item> {
  const batch = new Batch(QUEUE_COLUMNS);
  for (const [number, name] of QUEUES.entries()) {
    const write: Item = (to) => {
      to.byte(number);
      batch.flush(to);
    };
    for (const queued of queuedFiles(captured.pages, captured[name])) {
      batch.add({ slot: queued.slot, timeMs: queued.timeMs });
      if (batch.isFull) {
        yield write;
      }
    }
    if (batch.rows > 0) {
      yield write;
    }
  }
}

export function readFileQueue(from: ByteReader, files: FileTable): void {
  const name = QUEUES[from.byte()];
  if (name === undefined) {
    throw new CorruptDataError('an unknown queue of files');
  }
  const { rows, columns } = readBatch(from, QUEUE_COLUMNS);
  for (let row = 0; row < rows; row += 1) {
    files.restoreQueued(name, doubleAt(columns.slot, row), doubleAt(columns.timeMs, row));
  }
}
