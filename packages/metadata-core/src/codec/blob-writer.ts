// Writes snapshots of version 2, for clusters at rules level 1, which the previous release can read. The format is one piece with one
// checksum, but it is written item by item, so it can be stored in parts. snapshot-blob.ts reads it.

import { ByteWriter } from '../bytes/byte-writer.ts';
import { idFromKey } from '../model/ids.ts';
import { filesOfPage, queuedFiles } from '../state/file-table.ts';
import type { Group } from '../state/group.types.ts';
import { producersOf } from '../state/producer-table.ts';
import { BYTES, FILE, MAX_TIMESTAMP, POSITION } from '../state/run-index.ts';
import { readWide } from '../state/words.ts';
import type { CapturedState } from './captured-state.ts';
import { agentsCodec, settingsCodec, totalsCodec } from './cluster.ts';
import { crc32 } from './crc32.ts';
import { writeDelta } from './delta.ts';
import { map, nullable, text } from './field.ts';
import { wholeGroupCodec } from './group.ts';
import { endOf, type Span, spansOf, wordOf } from './run-sections.ts';
import type { Item } from './section.ts';

const BLOB_VERSION = 2;
const bucketCodec = nullable(text);
const configsCodec = map(text, text);

/** Version, items, checksum. */
export function* blobParts(items: Iterable<Item>, partBytes: number): Iterable<Uint8Array> {
  let to = new ByteWriter();
  let crc = 0;
  to.byte(BLOB_VERSION);
  for (const write of items) {
    write(to);
    if (to.length >= partBytes) {
      crc = crc32(to.written(), crc);
      yield to.written();
      to = new ByteWriter();
    }
  }
  to.uint32(crc32(to.written(), crc));
  yield to.written();
}

/** @param groups as captured */
export function* blobItems(captured: CapturedState, groupCount: number, groups: Iterable<Group>): Iterable<Item> {
  const { head, topics, answers, grants } = captured;
  yield (to) => {
    to.text(head.clusterId);
    settingsCodec.write(to, head.settings);
    bucketCodec.write(to, head.bucket);
    agentsCodec.write(to, head.agents);
    to.unsigned(head.nextNodeId);
    to.signed(head.lastMarkedMinute);
    to.unsigned(head.clusterMinutes);
  };
  yield* fileItems(captured);
  yield (to) => to.unsigned(topics.length);
  let partition = 0;
  for (const topic of topics) {
    yield (to) => {
      to.raw(topic.id);
      to.text(topic.name);
      to.unsigned(topic.partitionCount);
    };
    for (const end = partition + topic.partitionCount; partition < end; partition += 1) {
      yield* partitionItems(captured, partition);
    }
    yield (to) => {
      configsCodec.write(to, new Map(topic.configs));
      to.signed(topic.createdAtMs);
    };
  }
  yield (to) => to.unsigned(answers.length);
  for (const { fileId, answeredAtMs, batchBaseOffset, batchErrorCode, runLogStartOffset } of answers) {
    yield (to) => {
      to.raw(fileId);
      to.unsigned(answeredAtMs);
      writeOffsets(to, batchBaseOffset);
      to.unsigned(batchErrorCode.length);
      for (const code of batchErrorCode) {
        to.unsigned(code);
      }
      writeOffsets(to, runLogStartOffset);
    };
  }
  yield (to) => {
    to.signed(head.forgottenUpToMs);
    to.unsigned(head.nextProducerId);
    to.unsigned(grants.length);
  };
  for (const [key, { producerId, grantedAtMs }] of grants) {
    yield (to) => {
      to.raw(idFromKey(key));
      to.unsigned(producerId);
      to.unsigned(grantedAtMs);
    };
  }
  yield (to) => to.unsigned(groupCount);
  for (const group of groups) {
    yield (to) => wholeGroupCodec.write(to, group);
  }
  yield (to) => totalsCodec.write(to, head.totals);
}

/** Files by slot, then the free slots, then both queues of dead files. */
function* fileItems({ files }: CapturedState): Iterable<Item> {
  const slots = filesBySlot(files.pages);
  yield (to) => to.unsigned(slots.limit);
  for (let slot = 0; slot < slots.limit; slot += 1) {
    const file = slots.next(slot);
    yield (to) => {
      to.byte(file === undefined ? 0 : 1);
      if (file !== undefined) {
        to.raw(file.id);
        to.unsigned(file.bytes);
        to.unsigned(file.committedAtMs);
        to.unsigned(file.liveRuns);
        to.unsigned(file.liveBytes);
      }
    };
  }
  yield (to) => to.unsigned(slots.free.length);
  for (let at = slots.free.length - 1; at >= 0; at -= 1) {
    yield (to) => to.unsigned(slots.free[at] ?? 0);
  }
  for (const queue of [files.waiting, files.leased]) {
    yield (to) => to.unsigned(queue.size);
    for (const { slot, timeMs } of queuedFiles(files.pages, queue)) {
      yield (to) => {
        to.unsigned(slot);
        to.unsigned(timeMs);
      };
    }
  }
}

/**
 * Finds the file of each slot: call `next` for the slots in ascending order. Free slots collect in `free`, to be written in descending
 * order, because the last one is used next.
 */
function filesBySlot(pages: readonly (Uint32Array | undefined)[]) {
  const ascending = allFiles(pages);
  let upcoming = ascending.next();
  const free: number[] = [];
  let limit = 0;
  for (const [number, page] of pages.entries()) {
    for (const [slot] of number === pages.length - 1 ? filesOfPage(number, page) : []) {
      limit = slot + 1;
    }
  }
  return {
    limit,
    free,
    next: (slot: number) => {
      if (upcoming.done === true || upcoming.value[0] !== slot) {
        free.push(slot);
        return undefined;
      }
      const [, file] = upcoming.value;
      upcoming = ascending.next();
      return file;
    },
  };
}

function* allFiles(pages: readonly (Uint32Array | undefined)[]) {
  for (const [number, page] of pages.entries()) {
    yield* filesOfPage(number, page);
  }
}

function* partitionItems({ partitions, runs, producers }: CapturedState, number: number): Iterable<Item> {
  const logStartOffset = partitions.logStartOffset[number] ?? 0;
  const highWatermark = partitions.highWatermark[number] ?? 0;
  const captured = runs[number];
  yield (to) => {
    to.unsigned(logStartOffset);
    to.unsigned(highWatermark - logStartOffset);
    to.unsigned(partitions.storedBytes[number] ?? 0);
    to.unsigned(captured === undefined ? 0 : captured.length + 1);
  };
  if (captured !== undefined) {
    for (const span of spansOf(captured, highWatermark)) {
      yield (to) => {
        for (let row = 0; row < span.rows; row += 1) {
          to.unsigned(endOf(span, row) - readWide(span.words, wordOf(span.row + row)));
        }
      };
    }
    yield* placeItems(spansOf(captured, highWatermark));
  }
  const table = producers.get(number);
  yield (to) => {
    to.byte(table === undefined ? 0 : 1);
    if (table !== undefined) {
      to.unsigned(table.captured.count);
    }
  };
  if (table === undefined) {
    return;
  }
  for (const { producerId, epoch, batches, lastSeenMs } of producersOf(table.captured)) {
    yield (to) => {
      to.unsigned(producerId);
      to.unsigned(epoch);
      to.unsigned(batches.length);
      for (const { firstSequence, lastSequence, baseOffset } of batches) {
        to.unsigned(firstSequence);
        to.unsigned(lastSequence);
        to.unsigned(baseOffset);
      }
      to.unsigned(lastSeenMs);
    };
  }
  producers.delete(number);
  table.table.release();
}

/** Files and timestamps are written as differences from the run before. */
function* placeItems(spans: Iterable<Span>): Iterable<Item> {
  let fileBefore = 0;
  let timestampBefore = 0;
  for (const { words, row: first, rows } of spans) {
    yield (to) => {
      for (let row = 0; row < rows; row += 1) {
        const at = wordOf(first + row);
        const file = words[at + FILE] ?? 0;
        const timestampMs = readWide(words, at + MAX_TIMESTAMP);
        to.signed(file - fileBefore);
        to.unsigned(words[at + POSITION] ?? 0);
        to.unsigned(words[at + BYTES] ?? 0);
        writeDelta(to, timestampMs, timestampBefore);
        fileBefore = file;
        timestampBefore = timestampMs;
      }
    };
  }
}

function writeOffsets(to: ByteWriter, offsets: Float64Array): void {
  to.unsigned(offsets.length);
  let before = 0;
  for (const offset of offsets) {
    to.signed(offset - before);
    before = offset;
  }
}
