// Tests of the judge: a correct history, and for each anomaly the same history with that anomaly.
import { expect, test } from 'vitest';
import type { AnomalyKind } from './anomaly.ts';
import { type HistoryEvent, parseHistory, type ReadEvent } from './history.ts';
import { type Judged, judge } from './judge.ts';

const judged: Judged = {
  idempotent: new Set(['java']),
  finalReaders: ['raw-final', 'java-final'],
  churned: new Set(['churn']),
  churnedBatchBytes: 100,
};
const producers = ['java', 'raw'] as const;
/** Records of each of the two producers in the partition; they alternate. */
const EACH = 4;
const count = EACH * producers.length;

function idOf(offset: number): string {
  return `${producers[offset % 2]}/${Math.floor(offset / 2)}`;
}

function read(client: string, offset: number, atMs: number): ReadEvent {
  return {
    t: 'read',
    client,
    topic: 'kept',
    partition: 0,
    offset,
    id: idOf(offset),
    timestamp_ms: offset * 10,
    at_ms: atMs,
  };
}

/** Two producers write to one partition, one reader follows, two read it again at the end. The first two records are deleted meanwhile. */
function wellDone(): HistoryEvent[] {
  const at = { topic: 'kept', partition: 0 };
  const history: HistoryEvent[] = [];
  for (let offset = 0; offset < count; offset += 1) {
    const client = producers[offset % 2] ?? '';
    const id = idOf(offset);
    const nowMs = offset * 10;
    history.push({ t: 'send', client, ...at, id, timestamp_ms: nowMs, at_ms: nowMs });
    history.push({ t: 'ack', client, ...at, id, offset, at_ms: nowMs + 5 });
    history.push(read('java-tail', offset, nowMs + 7));
    history.push({ t: 'batch', client: 'raw-tail', ...at, offset, records: 1, storedBytes: 70, uncompressedBytes: 90 });
    history.push({
      t: 'watermark',
      source: 'list',
      client: 'raw',
      ...at,
      high: offset + 1,
      asked_ms: nowMs + 6,
      at_ms: nowMs + 7,
    });
  }
  history.push({ t: 'lookup', client: 'java', ...at, timestamp_ms: 35, offset: 4, asked_ms: 60, at_ms: 61 });
  history.push({ t: 'lookup', client: 'java', ...at, timestamp_ms: 1_000, offset: -1, asked_ms: 60, at_ms: 61 });
  history.push({ t: 'truncate', ...at, beforeOffset: 2, asked_ms: 90 });
  for (const client of judged.finalReaders) {
    for (let offset = 2; offset < count; offset += 1) {
      history.push(read(client, offset, 100));
    }
  }
  history.push({ t: 'end', ...at, low: 2, high: count });
  const churn = { client: 'java', topic: 'churn', partition: 0, id: 'java/churn/0' };
  history.push({ t: 'send', ...churn, timestamp_ms: 1, at_ms: 1 }, { t: 'ack', ...churn, offset: 0, at_ms: 2 });
  history.push({ t: 'usage', records: count + 1, storedBytes: count * 70 + 100, uncompressedBytes: count * 90 + 100 });
  return history;
}

function kindsOf(history: HistoryEvent[]): AnomalyKind[] {
  return [...new Set(judge(history, judged).map(({ kind }) => kind))].sort();
}

/** The first event of a kind that satisfies a condition. */
function find<Kind extends HistoryEvent['t']>(
  history: readonly HistoryEvent[],
  kind: Kind,
  holds: (event: Extract<HistoryEvent, { t: Kind }>) => boolean = () => true,
): Extract<HistoryEvent, { t: Kind }> {
  const isOfKind = (event: HistoryEvent): event is Extract<HistoryEvent, { t: Kind }> => event.t === kind;
  const found = history.filter(isOfKind).find(holds);
  if (found === undefined) {
    throw new Error(`no ${kind}`);
  }
  return found;
}

function without(history: HistoryEvent[], event: HistoryEvent): HistoryEvent[] {
  return history.filter((one) => one !== event);
}

test('a correct history has no anomaly, even after a round trip', () => {
  const history = wellDone();
  expect(judge(history, judged)).toEqual([]);
  expect(parseHistory(history.map((event) => `${JSON.stringify(event)}\n`).join(''))).toEqual(history);
});

interface Doctored {
  what: string;
  kinds: AnomalyKind[];
  doctor(history: HistoryEvent[]): HistoryEvent[];
}

const doctored: Doctored[] = [
  {
    what: 'an acknowledged record that no reader finds in the end',
    kinds: ['incomplete', 'lost', 'watermark-back'],
    doctor: (history) => [
      ...history,
      { t: 'send', client: 'java', topic: 'kept', partition: 0, id: 'java/last', timestamp_ms: 80, at_ms: 80 },
      { t: 'ack', client: 'java', topic: 'kept', partition: 0, id: 'java/last', offset: count, at_ms: 81 },
      {
        t: 'watermark',
        source: 'list',
        client: 'raw',
        topic: 'kept',
        partition: 0,
        high: count,
        asked_ms: 85,
        at_ms: 86,
      },
      { t: 'end', topic: 'kept', partition: 0, low: 2, high: count + 1 },
    ],
  },
  {
    what: 'an acknowledged record in whose place another one lies',
    kinds: ['lost'],
    doctor: (history) => {
      const lost = { client: 'raw', topic: 'kept', partition: 0, id: 'raw/lost' };
      const taken = find(history, 'ack', ({ offset }) => offset === count - 1);
      history.push(
        { t: 'send', ...lost, timestamp_ms: 1, at_ms: 66 },
        { t: 'ack', ...lost, offset: taken.offset, at_ms: 67 },
      );
      return without(history, taken);
    },
  },
  {
    what: 'a record that is said to be stored already, and is nowhere',
    kinds: ['lost'],
    doctor: (history) => {
      const at = { client: 'java', topic: 'whole', partition: 0, id: 'java/whole/0' };
      history.push({ t: 'send', ...at, timestamp_ms: 1, at_ms: 1 }, { t: 'ack', ...at, offset: -1, at_ms: 2 });
      return [...history, { t: 'end', topic: 'whole', partition: 0, low: 0, high: 0 }];
    },
  },
  {
    what: 'a record of an idempotent producer at two offsets',
    kinds: ['doubled', 'lost'],
    doctor: (history) => {
      for (const event of history) {
        if (event.t === 'read' && event.offset === 6) {
          Object.assign(event, { id: idOf(2), timestamp_ms: 20 });
        }
      }
      return history;
    },
  },
  {
    what: 'a record of which a producer heard twice',
    kinds: ['acknowledged-twice'],
    doctor: (history) => [...history, { ...find(history, 'ack', ({ offset }) => offset === 3) }],
  },
  {
    what: 'a record of a deleted topic of which a producer heard twice',
    kinds: ['acknowledged-twice'],
    doctor: (history) => [...history, { ...find(history, 'ack', ({ topic }) => topic === 'churn') }],
  },
  {
    what: 'an idempotent producer whose first record was stored after its second',
    kinds: ['reordered'],
    doctor: (history) => {
      const sends = history.filter((event) => event.t === 'send' && event.client === 'java');
      const [first, second] = [history.indexOf(sends[1] as HistoryEvent), history.indexOf(sends[2] as HistoryEvent)];
      [history[first], history[second]] = [history[second] as HistoryEvent, history[first] as HistoryEvent];
      return history;
    },
  },
  {
    what: 'a producer without idempotence whose record was stored before one that had been acknowledged before it was sent',
    kinds: ['reordered'],
    doctor: (history) => {
      const late = find(history, 'send', ({ id }) => id === idOf(3));
      late.at_ms = 79;
      return [...without(history, late), late];
    },
  },
  {
    what: 'an acknowledgement that names the offset of another record',
    kinds: ['acknowledged-twice', 'elsewhere'],
    doctor: (history) => {
      find(history, 'ack', ({ offset }) => offset === 6).offset = 3;
      return history;
    },
  },
  {
    what: 'two readers that find different records at one offset',
    kinds: ['lost', 'readers-differ'],
    doctor: (history) => {
      const differs = find(history, 'read', ({ client, offset }) => client === 'raw-final' && offset === 5);
      Object.assign(differs, { id: idOf(7), timestamp_ms: 70 });
      return history;
    },
  },
  {
    what: 'a reader that meets an offset again',
    kinds: ['not-monotonic'],
    doctor: (history) => [...history, read('java-tail', count - 1, 110)],
  },
  {
    what: 'a reader that is led past a record',
    kinds: ['skipped'],
    doctor: (history) =>
      without(
        history,
        find(history, 'read', ({ client, offset }) => client === 'java-tail' && offset === 3),
      ),
  },
  {
    what: 'a reader that is led past records that were deleted later only',
    kinds: ['skipped'],
    doctor: (history) =>
      without(
        history,
        find(history, 'read', ({ client, offset }) => client === 'java-tail' && offset === 0),
      ),
  },
  {
    what: 'a reader that is told it is outside of the log, at its end',
    kinds: ['out-of-range'],
    doctor: (history) => [
      ...history,
      { t: 'out-of-range', client: 'raw-tail', topic: 'kept', partition: 0, offset: count, at_ms: 100 },
    ],
  },
  {
    what: 'a last reader that never begins',
    kinds: ['incomplete', 'lost'],
    doctor: (history) => history.filter((event) => event.t !== 'read' || event.client !== 'java-final'),
  },
  {
    what: 'a partition whose end nobody asked for',
    kinds: ['incomplete'],
    doctor: (history) => without(history, find(history, 'end')),
  },
  {
    what: 'a record that nobody sent',
    kinds: ['forged'],
    doctor: (history) =>
      without(
        history,
        find(history, 'send', ({ id }) => id === idOf(5)),
      ),
  },
  {
    what: 'a record with other bytes than were sent',
    kinds: ['forged'],
    doctor: (history) => {
      find(history, 'read').isDamaged = true;
      return history;
    },
  },
  {
    what: 'a record with another time than was sent',
    kinds: ['forged'],
    doctor: (history) => {
      find(history, 'read', ({ client }) => client === 'java-final').timestamp_ms += 1;
      return history;
    },
  },
  {
    what: 'an end of the log that goes back',
    kinds: ['watermark-back'],
    doctor: (history) => [
      ...history,
      {
        t: 'watermark',
        source: 'list',
        client: 'raw',
        topic: 'kept',
        partition: 0,
        high: count - 1,
        asked_ms: 100,
        at_ms: 101,
      },
    ],
  },
  {
    what: 'an end of the log that goes back for one reader',
    kinds: ['watermark-back'],
    doctor: (history) => {
      const at = { t: 'watermark', source: 'fetch', client: 'raw-tail', topic: 'kept', partition: 0 } as const;
      history.push({ ...at, high: 7, asked_ms: 100, at_ms: 101 }, { ...at, high: 6, asked_ms: 102, at_ms: 103 });
      return history;
    },
  },
  {
    what: 'an end of the log below an acknowledged record',
    kinds: ['watermark-back'],
    doctor: (history) => {
      find(history, 'watermark', ({ high }) => high === 4).high = 3;
      return history;
    },
  },
  {
    what: 'a time that is answered with a later record than the first from then on',
    kinds: ['wrong-lookup'],
    doctor: (history) => {
      find(history, 'lookup').offset = 5;
      return history;
    },
  },
  {
    what: 'a time that is answered with a record from before it',
    kinds: ['wrong-lookup'],
    doctor: (history) => {
      find(history, 'lookup').offset = 3;
      return history;
    },
  },
  {
    what: 'a time that is answered with nothing though a record was there',
    kinds: ['wrong-lookup'],
    doctor: (history) => {
      find(history, 'lookup').offset = -1;
      return history;
    },
  },
  {
    what: 'an idempotent producer that cannot go on',
    kinds: ['refused'],
    doctor: (history) => [...history, { t: 'fatal', client: 'java', error: '_FATAL', at_ms: 1 }],
  },
  {
    what: 'an idempotent producer that is told something that it does not retry',
    kinds: ['refused'],
    doctor: (history) => [
      ...history,
      { t: 'fail', client: 'java', topic: 'churn', partition: 0, id: 'x', error: 'UNKNOWN_TOPIC_ID', at_ms: 1 },
    ],
  },
  {
    what: 'a producer without idempotence that is told something that no client retries',
    kinds: ['refused'],
    doctor: (history) => [
      ...history,
      { t: 'fail', client: 'raw', topic: 'kept', partition: 0, id: 'x', error: '42', at_ms: 1 },
    ],
  },
  {
    what: 'a byte too many in the ledger',
    kinds: ['metering'],
    doctor: (history) => {
      find(history, 'usage').uncompressedBytes += 1;
      return history;
    },
  },
  {
    what: 'a stored byte too few in the ledger',
    kinds: ['metering'],
    doctor: (history) => {
      find(history, 'usage').storedBytes -= 1;
      return history;
    },
  },
  {
    what: 'an acknowledged record of a deleted topic that is not in the ledger',
    kinds: ['metering'],
    doctor: (history) => {
      const usage = find(history, 'usage');
      usage.records -= 1;
      usage.storedBytes -= judged.churnedBatchBytes;
      usage.uncompressedBytes -= judged.churnedBatchBytes;
      return history;
    },
  },
  {
    what: 'a ledger that nobody read',
    kinds: ['metering'],
    doctor: (history) => without(history, find(history, 'usage')),
  },
  {
    what: 'a batch that nobody read, so that the bill cannot be checked',
    kinds: ['metering'],
    doctor: (history) =>
      without(
        history,
        find(history, 'batch', ({ offset }) => offset === 2),
      ),
  },
];

for (const { what, kinds, doctor } of doctored) {
  test(`the judge finds ${what}`, () => {
    expect(kindsOf(doctor(wellDone()))).toEqual(kinds);
  });
}

test('errors that clients may get under faults are no anomaly', () => {
  const at = { topic: 'kept', partition: 0, id: 'x', at_ms: 1 };
  const forgiven: HistoryEvent[] = [
    { t: 'fail', client: 'java', ...at, error: 'TimeoutException' },
    { t: 'fail', client: 'java', ...at, topic: 'churn', error: 'UnknownTopicOrPartitionException' },
    { t: 'fail', client: 'raw', ...at, error: '-1000' },
    { t: 'fail', client: 'raw', ...at, error: '7' },
    { t: 'out-of-range', client: 'java-tail', ...at, offset: 1, at_ms: 95 },
    { t: 'send', client: 'java', ...at, topic: 'churn', timestamp_ms: 1 },
    { t: 'ack', client: 'java', ...at, topic: 'churn', offset: -1 },
  ];
  expect(judge([...wellDone(), ...forgiven], judged)).toEqual([]);
});

/** Records of a compacted topic, with three alternating keys. */
const keyed: Judged = {
  ...judged,
  compacted: new Set(['keyed']),
  compactedBatchBytes: 50,
  keyedReaders: ['raw-final'],
};
const KEYED_COUNT = 9;

function keyedRead(offset: number): ReadEvent {
  const at = { client: 'raw-final', topic: 'keyed', partition: 0, timestamp_ms: offset, at_ms: 100 };
  return { t: 'read', ...at, offset, id: `raw/keyed/${offset}`, key: `k${offset % 3}` };
}

/** Nine records were written. Compaction left the last record of each key, and one that was appended after the section it read. */
function compactedWell(): HistoryEvent[] {
  const history = wellDone();
  const at = { client: 'raw', topic: 'keyed', partition: 0 };
  for (let offset = 0; offset < KEYED_COUNT; offset += 1) {
    const id = `raw/keyed/${offset}`;
    history.push({ t: 'send', ...at, id, timestamp_ms: offset, key: `k${offset % 3}`, at_ms: offset });
    history.push({ t: 'ack', ...at, id, offset, at_ms: offset });
  }
  for (const offset of [4, 6, 7, 8]) {
    history.push(keyedRead(offset));
  }
  history.push({ t: 'end', topic: 'keyed', partition: 0, low: 0, high: KEYED_COUNT });
  const usage = find(history, 'usage');
  usage.records += KEYED_COUNT;
  usage.storedBytes += KEYED_COUNT * 50;
  usage.uncompressedBytes += KEYED_COUNT * 50;
  return history;
}

function keyedKindsOf(history: HistoryEvent[]): AnomalyKind[] {
  return [...new Set(judge(history, keyed).map(({ kind }) => kind))].sort();
}

// It is billed for all that was written.
test('a properly compacted topic has no anomaly', () => {
  expect(judge(compactedWell(), keyed)).toEqual([]);
});

const doctoredKeys: Doctored[] = [
  {
    what: 'a key whose last record is gone',
    kinds: ['lost'],
    doctor: (history) =>
      history.filter((event) => !(event.t === 'read' && event.topic === 'keyed' && event.offset === 7)),
  },
  {
    what: 'a key that comes back under another one',
    kinds: ['forged', 'lost'],
    doctor: (history) => {
      find(history, 'read', ({ topic, offset }) => topic === 'keyed' && offset === 7).key = 'k0';
      return history.filter((event) => !(event.t === 'read' && event.topic === 'keyed' && event.offset === 4));
    },
  },
  {
    what: 'a record that was moved',
    kinds: ['doubled', 'elsewhere', 'forged'],
    doctor: (history) => {
      const read = find(history, 'read', ({ topic, offset }) => topic === 'keyed' && offset === 6);
      read.id = 'raw/keyed/4';
      return history;
    },
  },
  {
    what: 'a compacted topic that is read backwards',
    kinds: ['not-monotonic'],
    doctor: (history) => [...history, keyedRead(6), keyedRead(7), keyedRead(8)],
  },
  {
    what: 'a compacted topic that is billed for what is left of it alone',
    kinds: ['metering'],
    doctor: (history) => {
      const usage = find(history, 'usage');
      usage.records -= 5;
      usage.storedBytes -= 5 * 50;
      usage.uncompressedBytes -= 5 * 50;
      return history;
    },
  },
];

for (const { what, kinds, doctor } of doctoredKeys) {
  test(`the judge finds ${what}`, () => {
    expect(keyedKindsOf(doctor(compactedWell()))).toEqual(kinds);
  });
}
