// Decodes a CommitFileRequest from wire bytes into typed columns. The generated decoder makes an object per message and a bigint per 64-bit
// value, which costs more than committing the file.
//
// It reads only what encoders write: known fields in order, each once, packed columns as long as the first of their group, and integers
// that a number holds exactly. Anything else, malformed bytes included, is left to the generated decoder, so that the two cannot disagree.

/** A request as columns. An absent column is empty. */
export interface CommitFileColumns {
  fileId: Uint8Array;
  fileBytes: number;
  topicIds: Uint8Array[];
  runTopic: Uint32Array;
  runPartition: Uint32Array;
  runPosition: Float64Array;
  runBatches: Uint32Array;
  batchBytes: Uint32Array;
  batchRecords: Uint32Array;
  batchMaxTimestampMs: Float64Array;
  batchUncompressedBytes: Float64Array;
  batchProducerId: Float64Array;
  batchProducerEpoch: Int32Array;
  batchBaseSequence: Int32Array;
  agentId: string;
  batchTransaction: Uint32Array;
  transactions: { transactionalId: string; addsPartitions: boolean }[];
}

// Fields of CommitFileRequest with their wire types, as tags.
const VARINT = 0;
const BYTES = 2;
const FILE_ID = (1 << 3) | BYTES;
const FILE_BYTES = (2 << 3) | VARINT;
const TOPIC_IDS = (3 << 3) | BYTES;
const RUN_TOPIC = (4 << 3) | BYTES;
const RUN_PARTITION = (5 << 3) | BYTES;
const RUN_POSITION = (6 << 3) | BYTES;
const RUN_BATCHES = (7 << 3) | BYTES;
const BATCH_BYTES = (8 << 3) | BYTES;
const BATCH_RECORDS = (9 << 3) | BYTES;
const BATCH_MAX_TIMESTAMP_MS = (10 << 3) | BYTES;
const BATCH_UNCOMPRESSED_BYTES = (11 << 3) | BYTES;
const BATCH_PRODUCER_ID = (12 << 3) | BYTES;
const BATCH_PRODUCER_EPOCH = (13 << 3) | BYTES;
const BATCH_BASE_SEQUENCE = (14 << 3) | BYTES;
const AGENT_ID = (15 << 3) | BYTES;
const BATCH_TRANSACTION = (16 << 3) | BYTES;
const TRANSACTIONS = (17 << 3) | BYTES;
// Fields of FileTransaction.
const TRANSACTIONAL_ID = (1 << 3) | BYTES;
const ADDS_PARTITIONS = (2 << 3) | VARINT;

/** The most bytes of a varint that a number holds exactly (53 bits). */
const MAX_VARINT53_BYTES = 8;

const NO_BYTES = new Uint8Array(0);
const NO_UINT32 = new Uint32Array(0);
const NO_INT32 = new Int32Array(0);
const NO_NUMBERS = new Float64Array(0);

/** @returns undefined for a message that the generated decoder must decode */
export function decodeCommitFileColumns(message: Uint8Array): CommitFileColumns | undefined {
  const columns: CommitFileColumns = {
    fileId: NO_BYTES,
    fileBytes: 0,
    topicIds: [],
    runTopic: NO_UINT32,
    runPartition: NO_UINT32,
    runPosition: NO_NUMBERS,
    runBatches: NO_UINT32,
    batchBytes: NO_UINT32,
    batchRecords: NO_UINT32,
    batchMaxTimestampMs: NO_NUMBERS,
    batchUncompressedBytes: NO_NUMBERS,
    batchProducerId: NO_NUMBERS,
    batchProducerEpoch: NO_INT32,
    batchBaseSequence: NO_INT32,
    agentId: '',
    batchTransaction: NO_UINT32,
    transactions: [],
  };
  const fields = new Fields(columns);
  const varint = new Float64Array(1);
  let lastTag = 0;
  let at = 0;
  while (at < message.length) {
    const tag = tagAt(message, at);
    // Encoders write fields in order; only lists of bytes and messages may repeat.
    if (tag < lastTag || (tag === lastTag && tag !== TOPIC_IDS && tag !== TRANSACTIONS)) {
      return undefined;
    }
    lastTag = tag;
    const valueAt = at + (tag < 0x80 ? 1 : 2);
    const valueEnd = endOfVarint(message, valueAt);
    if (valueEnd > message.length || !readUnsigned53(message, valueAt, valueEnd, varint)) {
      return undefined;
    }
    const value = varint[0] ?? 0;
    if (tag === FILE_BYTES) {
      columns.fileBytes = value;
      at = valueEnd;
      continue;
    }
    const to = valueEnd + value;
    if (to > message.length || !fields.read(tag, message, valueEnd, to)) {
      return undefined;
    }
    at = to;
  }
  return columns;
}

/** Columns of equal length in one allocation: allocating each one would take as long as reading them. */
class Group {
  readonly #memory: ArrayBuffer;
  readonly #length: number;
  #wideAt = 0;
  #narrowAt: number;

  /** @param wide number of columns of 8 bytes @param narrow number of columns of 4 bytes */
  constructor(length: number, wide: number, narrow: number) {
    this.#memory = new ArrayBuffer(length * (wide * 8 + narrow * 4));
    this.#length = length;
    this.#narrowAt = length * wide * 8;
  }

  wide(): Float64Array {
    const column = new Float64Array(this.#memory, this.#wideAt, this.#length);
    this.#wideAt += column.byteLength;
    return column;
  }

  narrow(): Uint32Array {
    const column = new Uint32Array(this.#memory, this.#narrowAt, this.#length);
    this.#narrowAt += column.byteLength;
    return column;
  }
}

const NO_GROUP = new Group(0, 0, 0);

/**
 * Reads the length-delimited fields. A method returns false when the generated decoder must decode the message. The first column of each
 * group determines the length of the others. It has at least a byte per value, which bounds the allocation.
 */
class Fields {
  readonly #columns: CommitFileColumns;
  #runs = NO_GROUP;
  #batches = NO_GROUP;
  #producers = NO_GROUP;

  constructor(columns: CommitFileColumns) {
    this.#columns = columns;
  }

  read(tag: number, message: Uint8Array, from: number, to: number): boolean {
    const columns = this.#columns;
    switch (tag) {
      case FILE_ID:
        // A copy, here and for topic ids, so that an id does not keep the message's memory alive.
        columns.fileId = new Uint8Array(message.subarray(from, to));
        return true;
      case TOPIC_IDS:
        columns.topicIds.push(new Uint8Array(message.subarray(from, to)));
        return true;
      case RUN_TOPIC:
        this.#runs = new Group(countVarints(message, from, to), 1, 3);
        columns.runTopic = this.#runs.narrow();
        return readUnsigned32(message, from, to, columns.runTopic);
      case RUN_PARTITION:
        columns.runPartition = this.#runs.narrow();
        return readUnsigned32(message, from, to, columns.runPartition);
      case RUN_POSITION:
        columns.runPosition = this.#runs.wide();
        return readUnsigned53(message, from, to, columns.runPosition);
      case RUN_BATCHES:
        columns.runBatches = this.#runs.narrow();
        return readUnsigned32(message, from, to, columns.runBatches);
      case BATCH_BYTES:
        this.#batches = new Group(countVarints(message, from, to), 2, 2);
        columns.batchBytes = this.#batches.narrow();
        return readUnsigned32(message, from, to, columns.batchBytes);
      case BATCH_RECORDS:
        columns.batchRecords = this.#batches.narrow();
        return readUnsigned32(message, from, to, columns.batchRecords);
      case BATCH_MAX_TIMESTAMP_MS:
        columns.batchMaxTimestampMs = this.#batches.wide();
        return readSigned53(message, from, to, columns.batchMaxTimestampMs);
      case BATCH_UNCOMPRESSED_BYTES:
        columns.batchUncompressedBytes = this.#batches.wide();
        return readUnsigned53(message, from, to, columns.batchUncompressedBytes);
      case BATCH_PRODUCER_ID:
        this.#producers = new Group(countVarints(message, from, to), 1, 2);
        columns.batchProducerId = this.#producers.wide();
        return readSigned53(message, from, to, columns.batchProducerId);
      case BATCH_PRODUCER_EPOCH: {
        const zigzag = this.#producers.narrow();
        columns.batchProducerEpoch = new Int32Array(zigzag.buffer, zigzag.byteOffset, zigzag.length);
        return readUnsigned32(message, from, to, zigzag) && unzigzag(zigzag, columns.batchProducerEpoch);
      }
      case BATCH_BASE_SEQUENCE: {
        const zigzag = this.#producers.narrow();
        columns.batchBaseSequence = new Int32Array(zigzag.buffer, zigzag.byteOffset, zigzag.length);
        return readUnsigned32(message, from, to, zigzag) && unzigzag(zigzag, columns.batchBaseSequence);
      }
      case AGENT_ID:
        // Longer ids are no agent's.
        if (to - from >= 0x80 || !isAscii(message, from, to)) {
          return false;
        }
        columns.agentId = String.fromCharCode(...message.subarray(from, to));
        return true;
      case BATCH_TRANSACTION:
        columns.batchTransaction = new Uint32Array(columns.batchBytes.length);
        return readUnsigned32(message, from, to, columns.batchTransaction);
      case TRANSACTIONS:
        return readTransaction(message, from, to, columns.transactions);
      default:
        return false;
    }
  }
}

/** A tag of one or two bytes; 0, which no field has, for any other. */
function tagAt(bytes: Uint8Array, at: number): number {
  const low = bytes[at] ?? 0;
  if (low < 0x80) {
    return low;
  }
  const high = bytes[at + 1] ?? 0;
  return high === 0 || high >= 0x80 ? 0 : (low & 0x7f) + high * 0x80;
}

/** Adds a FileTransaction: an id in ASCII, and whether it adds partitions, if so. */
function readTransaction(
  bytes: Uint8Array,
  from: number,
  to: number,
  transactions: CommitFileColumns['transactions'],
): boolean {
  let at = from;
  let transactionalId = '';
  if (at < to && bytes[at] === TRANSACTIONAL_ID) {
    const length = bytes[at + 1] ?? 0;
    at += 2;
    // Longer ids have a length of several bytes.
    if (length >= 0x80 || at + length > to || !isAscii(bytes, at, at + length)) {
      return false;
    }
    transactionalId = String.fromCharCode(...bytes.subarray(at, at + length));
    at += length;
  }
  let addsPartitions = false;
  if (at < to && bytes[at] === ADDS_PARTITIONS) {
    addsPartitions = bytes[at + 1] === 1;
    at += addsPartitions ? 2 : 0;
  }
  transactions.push({ transactionalId, addsPartitions });
  return at === to;
}

/** Counts varints: each ends in one byte below 128. */
function countVarints(bytes: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) {
    count += ((bytes[at] ?? 0) >> 7) ^ 1;
  }
  return count;
}

function endOfVarint(bytes: Uint8Array, from: number): number {
  let at = from;
  while ((bytes[at] ?? 0) >= 0x80) {
    at += 1;
  }
  return at + 1;
}

/** Each of the readers below fills a column from exactly these bytes. False when they hold something else. */
function readUnsigned32(bytes: Uint8Array, from: number, to: number, column: Uint32Array): boolean {
  let at = from;
  for (let index = 0; index < column.length; index += 1) {
    let byte = bytes[at] ?? 0;
    at += 1;
    let value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at] ?? 0;
      at += 1;
      // The fifth byte has room for four bits, and there must be no sixth.
      if (shift > 28 || (shift === 28 && byte > 0x0f)) {
        return false;
      }
      value |= (byte & 0x7f) << shift;
    }
    column[index] = value;
  }
  return at === to;
}

/** Decodes each zigzag value, in the same memory. */
function unzigzag(zigzag: Uint32Array, column: Int32Array): true {
  for (let index = 0; index < zigzag.length; index += 1) {
    const value = zigzag[index] ?? 0;
    column[index] = (value >>> 1) ^ -(value & 1);
  }
  return true;
}

function readUnsigned53(bytes: Uint8Array, from: number, to: number, column: Float64Array): boolean {
  let at = from;
  for (let index = 0; index < column.length; index += 1) {
    const start = at;
    let byte = bytes[at] ?? 0;
    at += 1;
    let low = byte & 0x7f;
    for (let shift = 7; byte >= 0x80 && shift < 28; shift += 7) {
      byte = bytes[at] ?? 0;
      at += 1;
      low |= (byte & 0x7f) << shift;
    }
    if (byte < 0x80) {
      column[index] = low;
      continue;
    }
    let value = low;
    for (let scale = 2 ** 28; byte >= 0x80; scale *= 0x80) {
      byte = bytes[at] ?? 0;
      at += 1;
      value += (byte & 0x7f) * scale;
    }
    if (at - start > MAX_VARINT53_BYTES || value > Number.MAX_SAFE_INTEGER) {
      return false;
    }
    column[index] = value;
  }
  return at === to;
}

/** Zigzag: the lowest bit is the sign. It is split off first, so that the rest fits in 53 bits. */
function readSigned53(bytes: Uint8Array, from: number, to: number, column: Float64Array): boolean {
  let at = from;
  for (let index = 0; index < column.length; index += 1) {
    const start = at;
    let byte = bytes[at] ?? 0;
    at += 1;
    const isNegative = (byte & 1) === 1;
    let low = (byte & 0x7f) >> 1;
    for (let shift = 6; byte >= 0x80 && shift < 27; shift += 7) {
      byte = bytes[at] ?? 0;
      at += 1;
      low |= (byte & 0x7f) << shift;
    }
    let magnitude = low;
    for (let scale = 2 ** 27; byte >= 0x80; scale *= 0x80) {
      byte = bytes[at] ?? 0;
      at += 1;
      magnitude += (byte & 0x7f) * scale;
    }
    const value = isNegative ? -magnitude - 1 : magnitude;
    if (at - start > MAX_VARINT53_BYTES || !Number.isSafeInteger(value)) {
      return false;
    }
    column[index] = value;
  }
  return at === to;
}

function isAscii(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    if ((bytes[at] ?? 0) >= 0x80) {
      return false;
    }
  }
  return true;
}
