// Converts the typed form into requests to an agent. Pure.
import { z } from 'zod';
import { toBase64 } from './decode.ts';

/** The facts about the topic that a query needs. */
export interface BrowsedTopic {
  name: string;
  partitions: readonly { partition: number; logStartOffset: number; highWatermark: number }[];
}

export const draftSchema = z.object({
  /** The partition as typed. */
  partition: z.string(),
  position: z.enum(['latest', 'earliest', 'offset', 'time']),
  offset: z.string(),
  /** From a datetime-local input, in the reader's time zone. */
  time: z.string(),
  limit: z.number(),
  key: z.string(),
  keyForm: z.enum(['text', 'hex']),
  /** Whether to search all partitions for the key. Without a key it has no effect. */
  isKeyInAll: z.boolean(),
});

/** The fields of the form. */
export type Draft = z.infer<typeof draftSchema>;
export type Position = Draft['position'];
export type KeyForm = Draft['keyForm'];

/** The body of `POST /v1/records` of an agent. */
export interface Question {
  topic: string;
  partition: number;
  from:
    | { at: 'earliest' }
    | { at: 'latest'; records: number }
    | { at: 'offset'; offset: number }
    | { at: 'time'; timestampMs: number };
  limit: number;
  keyBase64?: string;
}

export interface Faults {
  partition?: string;
  offset?: string;
  time?: string;
  key?: string;
}

/** How far back from the end of a partition to search for a key. */
const SEARCHED_BACK_RECORDS = 10_000;

/** Whether these fields apply to all partitions: a key may be in any of them, an offset belongs to one. */
export function isAboutAllPartitions({ partitions }: BrowsedTopic, { key, isKeyInAll, position }: Draft): boolean {
  return key !== '' && isKeyInAll && position !== 'offset' && partitions.length > 1;
}

/** One query per partition that has records, or what is wrong with the fields. */
export function toQuestions(topic: BrowsedTopic, draft: Draft): { questions: Question[] } | { faults: Faults } {
  const faults: Faults = {};
  const partitions = readPartitions(topic, draft, faults);
  const key = readKey(draft, faults);
  const from = readPosition(draft, key !== undefined, faults);
  if (from === undefined || Object.keys(faults).length > 0) {
    return { faults };
  }
  const common = { from, limit: draft.limit, ...(key === undefined ? {} : { keyBase64: key }) };
  return { questions: partitions.map((partition) => ({ topic: topic.name, partition, ...common })) };
}

/** Continues where a response ended. */
export function continued(question: Question, nextOffset: number): Question {
  return { ...question, from: { at: 'offset', offset: nextOffset } };
}

function readPartitions(topic: BrowsedTopic, draft: Draft, faults: Faults): number[] {
  const { partitions } = topic;
  if (isAboutAllPartitions(topic, draft)) {
    const filled = partitions.filter(({ logStartOffset, highWatermark }) => highWatermark > logStartOffset);
    return filled.map(({ partition }) => partition);
  }
  const text = draft.partition.trim();
  if (/^\d+$/.test(text) && Number(text) < partitions.length) {
    return [Number(text)];
  }
  faults.partition =
    partitions.length === 1
      ? 'This topic has only partition 0.'
      : `This topic has partitions 0 to ${partitions.length - 1}.`;
  return [];
}

function readPosition(draft: Draft, hasKey: boolean, faults: Faults): Question['from'] | undefined {
  switch (draft.position) {
    case 'earliest':
      return { at: 'earliest' };
    case 'latest':
      return { at: 'latest', records: hasKey ? SEARCHED_BACK_RECORDS : draft.limit };
    case 'offset': {
      const offset = Number(draft.offset);
      if (/^\d+$/.test(draft.offset.trim()) && Number.isSafeInteger(offset)) {
        return { at: 'offset', offset };
      }
      faults.offset = 'Enter an offset: a whole number, 0 or greater.';
      return undefined;
    }
    case 'time': {
      const timestampMs = new Date(draft.time).getTime();
      if (!Number.isNaN(timestampMs)) {
        return { at: 'time', timestampMs };
      }
      faults.time = 'Enter a date and time.';
      return undefined;
    }
  }
}

function readKey({ key, keyForm }: Draft, faults: Faults): string | undefined {
  if (key === '') {
    return undefined;
  }
  if (keyForm === 'text') {
    return toBase64(new TextEncoder().encode(key));
  }
  const digits = key.replace(/^0x/i, '').replace(/\s+/g, '');
  if (!/^(?:[0-9a-f]{2})+$/i.test(digits)) {
    faults.key = 'Enter complete bytes in hex, such as 00 ff 2a.';
    return undefined;
  }
  return toBase64(Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
}
