'use client';

import { Button, Card, EmptyState, Notice, Table, Td, Th, Tr } from '@penstock/ui';
import { formatCount, formatCountOf } from '@penstock/units';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { DateTime } from '../../lib/time';
import type { Content } from './ask-agent';
import type { FoundRecord } from './ask-in-turn';
import { fromBase64, preview } from './decode';
import { RecordDialog } from './record-dialog';
import { saveFile } from './save-file';
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
        <Table label={title} stacks>
          <thead>
            <tr>
              {isOfMany ? <Th numeric>Partition</Th> : null}
              <Th numeric>Offset</Th>
              <Th>Time</Th>
              <Th>Key</Th>
              <Th>Value</Th>
              <Th numeric>Headers</Th>
            </tr>
          </thead>
          <tbody>
            {records.map((record) => (
              <Tr
                key={`${record.partition}/${record.offset}`}
                className="hover:bg-hover/60"
                data-offset={record.offset}
              >
                {isOfMany ? (
                  <Td numeric label="Partition">
                    {formatCount(record.partition)}
                  </Td>
                ) : null}
                <Td numeric stack="title" label="Offset">
                  <button
                    type="button"
                    onClick={() => setOpened(record)}
                    aria-label={`Open record ${record.offset}${isOfMany ? ` of partition ${record.partition}` : ''}`}
                    className="rounded font-medium text-accent-ink underline underline-offset-4"
                  >
                    {formatCount(record.offset)}
                  </button>
                </Td>
                <Td className="whitespace-nowrap">
                  <DateTime timeMs={record.timestampMs} />
                </Td>
                <Td className="max-w-40 truncate font-mono text-xs" label="Key">
                  {lineOf(record.key)}
                </Td>
                <Td className="max-w-md truncate font-mono text-xs" stack="foot">
                  {lineOf(record.value)}
                </Td>
                <Td numeric label="Headers">
                  {formatCount(record.headers.length + record.headersLeftOut)}
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
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
