'use client';

import { Button, Field, Input, Select, type SelectOption } from '@penstock/ui';
import { formatCount } from '@penstock/units';
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';
import { takeKeptSearch } from './kept-search';
import {
  type BrowsedTopic,
  type Draft,
  type Faults,
  isAboutAllPartitions,
  type KeyForm,
  type Position,
  type Question,
  toQuestions,
} from './question';

const POSITIONS: readonly (SelectOption & { value: Position })[] = [
  { value: 'latest', label: 'Newest records' },
  { value: 'earliest', label: 'Oldest records' },
  { value: 'offset', label: 'From an offset' },
  { value: 'time', label: 'From a time' },
];
const KEY_FORMS: readonly (SelectOption & { value: KeyForm })[] = [
  { value: 'text', label: 'Text' },
  { value: 'hex', label: 'Hex' },
];
const KEY_PLACES: readonly (SelectOption & { value: 'all' | 'one' })[] = [
  { value: 'all', label: 'In all partitions' },
  { value: 'one', label: 'In this partition' },
];
const LIMITS = [50, 100, 500];

/** A search as the form describes it. */
export interface AskedSearch {
  draft: Draft;
  /** The page began it, not the reader: it had reloaded during the first attempt. */
  isRepeated: boolean;
}

/** The position to start from and the filter. Repeats a search that was kept while the page reloaded. */
export function QuestionForm({
  topic,
  isPending,
  onAsk,
}: {
  topic: BrowsedTopic & { topicId: string };
  isPending: boolean;
  onAsk: (questions: readonly Question[], of: AskedSearch) => void;
}) {
  const [draft, setDraft] = useState<Draft>(() => ({
    partition: String(firstWithRecords(topic)),
    position: 'latest',
    offset: '',
    time: '',
    limit: LIMITS[0] ?? 50,
    key: '',
    keyForm: 'text',
    isKeyInAll: true,
  }));
  const [faults, setFaults] = useState<Faults>({});
  const change = (part: Partial<Draft>) => {
    setFaults({});
    setDraft((before) => ({ ...before, ...part }));
  };
  const ask = (search: AskedSearch) => {
    const asked = toQuestions(topic, search.draft);
    if ('faults' in asked) {
      setFaults(asked.faults);
    } else if (!isPending) {
      onAsk(asked.questions, search);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    ask({ draft, isRepeated: false });
  };
  const repeat = useEffectEvent((kept: Draft) => {
    setDraft(kept);
    ask({ draft: kept, isRepeated: true });
  });
  useEffect(() => {
    const kept = takeKeptSearch(topic.topicId);
    if (kept !== null) {
      repeat(kept);
    }
  }, [topic.topicId]);
  const isAboutAll = isAboutAllPartitions(topic, draft);
  const chosen = topic.partitions.find(({ partition }) => String(partition) === draft.partition.trim());
  const partitionHint = isAboutAll
    ? 'Searches all partitions.'
    : chosen === undefined
      ? undefined
      : offsetsText(chosen);
  return (
    // biome-ignore lint/correctness/noRestrictedElements: its fields are kept while the page reloads to ask another agent
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <Field label="Partition" hint={partitionHint} error={faults.partition}>
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              disabled={isAboutAll}
              value={draft.partition}
              onChange={({ target }) => change({ partition: target.value })}
            />
          )}
        </Field>
        <Field label="Start from">
          {(control) => (
            <Select
              {...control}
              value={draft.position}
              options={POSITIONS}
              onValueChange={(value) =>
                change({ position: POSITIONS.find((position) => position.value === value)?.value ?? 'latest' })
              }
            />
          )}
        </Field>
        {draft.position === 'offset' ? (
          <Field label="Offset" error={faults.offset}>
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                value={draft.offset}
                onChange={({ target }) => change({ offset: target.value })}
              />
            )}
          </Field>
        ) : null}
        {draft.position === 'time' ? (
          <Field label="Time" hint="In your time zone." error={faults.time}>
            {(control) => (
              <Input
                {...control}
                type="datetime-local"
                step={1}
                value={draft.time}
                onChange={({ target }) => change({ time: target.value })}
              />
            )}
          </Field>
        ) : null}
        <Field label="Limit">
          {(control) => (
            <Select
              {...control}
              value={String(draft.limit)}
              options={LIMITS.map((limit) => ({ value: String(limit), label: `${formatCount(limit)} records` }))}
              onValueChange={(value) => change({ limit: Number(value) })}
            />
          )}
        </Field>
      </div>
      <div className="flex flex-wrap items-end gap-4">
        <div className="min-w-0 grow basis-56 sm:max-w-md">
          <Field label="Filter by key" hint="Exact match. Leave empty for all keys." error={faults.key}>
            {(control) => (
              <div className="flex gap-2">
                <Input
                  {...control}
                  value={draft.key}
                  onChange={({ target }) => change({ key: target.value })}
                  className="font-mono"
                />
                <div className="w-24 shrink-0">
                  <Select
                    aria-label="Key format"
                    value={draft.keyForm}
                    options={KEY_FORMS}
                    onValueChange={(value) => change({ keyForm: value === 'hex' ? 'hex' : 'text' })}
                  />
                </div>
              </div>
            )}
          </Field>
        </div>
        {draft.key === '' || draft.position === 'offset' || topic.partitions.length === 1 ? null : (
          <div className="w-44 sm:mb-[1.625rem]">
            <Select
              aria-label="Partitions to search"
              value={draft.isKeyInAll ? 'all' : 'one'}
              options={KEY_PLACES}
              onValueChange={(value) => change({ isKeyInAll: value === 'all' })}
            />
          </div>
        )}
        <Button type="submit" variant="primary" pending={isPending} className="sm:mb-[1.625rem]">
          Read records
        </Button>
      </div>
    </form>
  );
}

/** A partition that holds records. */
function firstWithRecords({ partitions }: BrowsedTopic): number {
  return partitions.find(({ logStartOffset, highWatermark }) => highWatermark > logStartOffset)?.partition ?? 0;
}

function offsetsText({ logStartOffset, highWatermark }: BrowsedTopic['partitions'][number]): string {
  return highWatermark > logStartOffset
    ? `Offsets ${formatCount(logStartOffset)} to ${formatCount(highWatermark - 1)}`
    : 'No records';
}
