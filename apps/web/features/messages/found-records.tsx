'use client';

import { Button, Card, EmptyState, Notice, Table, Td, Th, Tr } from '@penstock/ui';
import { formatCount, formatDateTime } from '@penstock/units';
import { Download } from 'lucide-react';
import { useState } from 'react';
import type { BrowsedRecord, Content } from './ask-agent';
import { fromBase64, preview } from './decode';
import { RecordDialog } from './record-dialog';
import { saveFile } from './save-file';
import type { Found } from './use-browse';

type FoundRecordsProps = { topicName: string; found: Found; isLoadingMore: boolean; onMore: () => void };

const STOPPED: Record<Found['answer']['stopped'], string> = {
  end: 'End of partition.',
  limit: 'More records are available.',
  bytes: 'More records are available. A response holds up to 1 MiB.',
  scanned: 'The search isn’t complete. Each request scans up to 32 MiB.',
  time: 'The search isn’t complete. Each request takes up to 2 seconds.',
};

/** What an agent answered, as a table. */
export function FoundRecords({ topicName, found, isLoadingMore, onMore }: FoundRecordsProps) {
  const [opened, setOpened] = useState<BrowsedRecord | null>(null);
  const { records, answer, question, scannedRecords } = found;
  const { partition } = question;
  return (
    <Card
      title={`Records in partition ${partition}`}
      description={`${formatCount(records.length)} shown, ${formatCount(scannedRecords)} scanned. Read from ${found.url}.`}
      actions={
        records.length === 0 ? undefined : (
          <Button
            size="sm"
            onClick={() => saveFile(`${topicName}-${partition}.json`, JSON.stringify(records, null, 2))}
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
          {question.keyBase64 === undefined
            ? 'There are no records at this position of the partition.'
            : 'None of the scanned records has this key. Records with the same key are in the same partition unless partitions were added later. Try another partition.'}
        </EmptyState>
      ) : (
        <Table label={`Records in partition ${partition}`}>
          <thead>
            <tr>
              <Th numeric>Offset</Th>
              <Th>Time</Th>
              <Th>Key</Th>
              <Th>Value</Th>
              <Th numeric>Headers</Th>
            </tr>
          </thead>
          <tbody>
            {records.map((record) => (
              <Tr key={record.offset} className="hover:bg-hover/60" data-offset={record.offset}>
                <Td numeric>
                  <button
                    type="button"
                    onClick={() => setOpened(record)}
                    aria-label={`Open record ${record.offset}`}
                    className="rounded font-medium text-accent-ink underline underline-offset-4"
                  >
                    {formatCount(record.offset)}
                  </button>
                </Td>
                <Td className="whitespace-nowrap">
                  <time dateTime={new Date(record.timestampMs).toISOString()}>
                    {formatDateTime(record.timestampMs)}
                  </time>
                </Td>
                <Td className="max-w-40 truncate font-mono text-xs">{lineOf(record.key)}</Td>
                <Td className="max-w-md truncate font-mono text-xs">{lineOf(record.value)}</Td>
                <Td numeric>{formatCount(record.headers.length + record.headersLeftOut)}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3 border-line border-t px-4 py-3 sm:px-5">
        <p role="status" className="text-[0.8125rem] text-ink-3">
          {STOPPED[answer.stopped]}
        </p>
        {answer.nextOffset === null ? null : (
          <Button size="sm" pending={isLoadingMore} onClick={onMore}>
            Continue from offset {formatCount(answer.nextOffset)}
          </Button>
        )}
      </div>
      {answer.unreadable.map(({ baseOffset, lastOffset, reason }) => (
        <div key={baseOffset} className="px-4 pb-4 sm:px-5">
          <Notice tone="warn" title={`Offsets ${formatCount(baseOffset)} to ${formatCount(lastOffset)} can’t be shown`}>
            {reason}. Consumers may still be able to read them.
          </Notice>
        </div>
      ))}
      <RecordDialog topicName={topicName} partition={partition} record={opened} onClose={() => setOpened(null)} />
    </Card>
  );
}

function lineOf(content: Content | null): string {
  return content === null ? '–' : preview(fromBase64(content.base64));
}
