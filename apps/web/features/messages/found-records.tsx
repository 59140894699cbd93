'use client';

import { Button, Card, EmptyState, Notice } from '@penstock/ui';
import { formatCount, formatCountOf } from '@penstock/units';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { saveFile } from '../../lib/save-file';
import { type Column, DataTable } from '../../lib/table';
import { DateTime } from '../../lib/time';
import type { Content } from './ask-agent';
import type { FoundRecord } from './ask-in-turn';
import { fromBase64, preview } from './decode';
import { RecordDialog } from './record-dialog';
import type { Found } from './use-browse';

interface FoundRecordsProps {
  topicName: string;
  found: Found;
  isLoadingMore: boolean;
  onMore: () => void;
}

const STOPPED: Record<Found['stopped'], string> = {
  end: 'End of partition.',
  limit: 'More records are available.',
  bytes: 'More records are available. A response holds up to 1 MiB.',
  scanned: 'The search isn’t complete. Each request scans up to 32 MiB.',
  time: 'The search isn’t complete. Each request takes up to 2 seconds.',
};

/** An agent's response as a table. */
export function FoundRecords({ topicName, found, isLoadingMore, onMore }: FoundRecordsProps) {
  const [opened, setOpened] = useState<FoundRecord | null>(null);
  const { records, questions, rest, scannedRecords, unreadable, url } = found;
  const [first, ...others] = questions;
  const isOfMany = others.length > 0;
  const title = isOfMany ? 'Records in all partitions' : `Records in partition ${first?.partition ?? 0}`;
  return (
    <Card
      title={title}
      description={`${formatCount(records.length)} shown, ${formatCount(scannedRecords)} scanned. Read from ${url}.`}
      actions={
        records.length === 0 ? undefined : (
          <Button
            size="sm"
            onClick={() =>
              saveFile(
                isOfMany ? `${topicName}.json` : `${topicName}-${first?.partition ?? 0}.json`,
                JSON.stringify(records, null, 2),
              )
            }
          >
            <Download aria-hidden />
            Download
          </Button>
        )
      }
      flush
    >
      {records.length === 0 ? (
        <EmptyState title="No records found">
          {first?.keyBase64 === undefined
            ? 'There are no records at this position of the partition.'
            : isOfMany
              ? 'None of the scanned records has this key.'
              : 'None of the scanned records in this partition has this key. Other partitions were not searched.'}
        </EmptyState>
      ) : (
        <DataTable
          label={title}
          noun="record"
          isPlain
          rows={records}
          rowKey={({ partition, offset }) => `${partition}/${offset}`}
          rowData={({ offset }) => ({ 'data-offset': offset })}
          columns={[...(isOfMany ? [PARTITION] : []), ...columnsOf(isOfMany, setOpened)]}
        />
      )}
      <div className="flex flex-wrap items-center justify-between gap-3 border-line border-t px-4 py-3 sm:px-5">
        <p role="status" className="text-[0.8125rem] text-ink-3">
          {isOfMany ? searchedText(found) : STOPPED[found.stopped]}
        </p>
        {rest.length === 0 ? null : (
          <Button size="sm" pending={isLoadingMore} onClick={onMore}>
            {moreText(found)}
          </Button>
        )}
      </div>
      {unreadable.map(({ partition, baseOffset, lastOffset, reason }) => (
        <div key={`${partition}/${baseOffset}`} className="px-4 pb-4 sm:px-5">
          <Notice
            tone="warn"
            title={`Offsets ${formatCount(baseOffset)} to ${formatCount(lastOffset)}${isOfMany ? ` of partition ${partition}` : ''} can’t be shown`}
          >
            {reason}. Consumers may still be able to read them.
          </Notice>
        </div>
      ))}
      <RecordDialog topicName={topicName} record={opened} onClose={() => setOpened(null)} />
    </Card>
  );
}

const PARTITION: Column<FoundRecord> = {
  key: 'partition',
  header: 'Partition',
  label: 'Partition',
  numeric: true,
  value: ({ partition }) => partition,
};

function columnsOf(isOfMany: boolean, onOpen: (record: FoundRecord) => void): Column<FoundRecord>[] {
  return [
    {
      key: 'offset',
      header: 'Offset',
      label: 'Offset',
      stack: 'title',
      numeric: true,
      value: ({ offset }) => offset,
      cell: (record) => (
        <button
          type="button"
          onClick={() => onOpen(record)}
          aria-label={`Open record ${record.offset}${isOfMany ? ` of partition ${record.partition}` : ''}`}
          className="rounded font-medium text-accent-ink underline underline-offset-4"
        >
          {formatCount(record.offset)}
        </button>
      ),
    },
    {
      key: 'time',
      header: 'Time',
      className: 'whitespace-nowrap',
      value: ({ timestampMs }) => timestampMs,
      cell: ({ timestampMs }) => <DateTime timeMs={timestampMs} />,
    },
    {
      key: 'key',
      header: 'Key',
      label: 'Key',
      className: 'max-w-40 truncate font-mono text-xs',
      cell: ({ key }) => lineOf(key),
    },
    {
      key: 'value',
      header: 'Value',
      stack: 'foot',
      className: 'max-w-md truncate font-mono text-xs',
      cell: ({ value }) => lineOf(value),
    },
    {
      key: 'headers',
      header: 'Headers',
      label: 'Headers',
      numeric: true,
      value: ({ headers, headersLeftOut }) => headers.length + headersLeftOut,
    },
  ];
}

/** How many of several partitions are done. */
function searchedText({ questions, rest }: Found): string {
  const partitions = formatCountOf(questions.length, 'partition');
  return rest.length === 0
    ? `All ${partitions} with records searched.`
    : `${formatCount(questions.length - rest.length)} of ${partitions} with records searched.`;
}

function moreText({ questions, rest }: Found): string {
  const [next] = rest;
  return questions.length === 1 && next?.from.at === 'offset'
    ? `Continue from offset ${formatCount(next.from.offset)}`
    : 'Continue search';
}

function lineOf(content: Content | null): string {
  return content === null ? '–' : preview(fromBase64(content.base64));
}
