'use client';

import { Button, Dialog } from '@penstock/ui';
import { formatCount, formatDateTime } from '@penstock/units';
import { Download } from 'lucide-react';
import { saveFile } from '../../lib/save-file';
import type { BrowsedRecord } from './ask-agent';
import type { FoundRecord } from './ask-in-turn';
import { ContentView } from './content-view';
import { fromBase64, preview } from './decode';

interface RecordDialogProps {
  topicName: string;
  /** Null while no record is open. */
  record: FoundRecord | null;
  onClose: () => void;
}

/** One complete record: key, value and headers. */
export function RecordDialog({ topicName, record, onClose }: RecordDialogProps) {
  return (
    <Dialog
      isWide
      open={record !== null}
      onClose={onClose}
      title={record === null ? '' : `Offset ${formatCount(record.offset)}`}
      description={
        record === null
          ? undefined
          : `Partition ${record.partition}, ${formatDateTime(record.timestampMs)}, compression ${record.compression}`
      }
    >
      {record === null ? null : (
        <div className="flex flex-col gap-5">
          <ContentView label="Key" content={record.key} missing="This record has no key." />
          <ContentView
            label="Value"
            content={record.value}
            missing="This record has no value. It is a tombstone, which deletes its key in a compacted topic."
          />
          <Headers record={record} />
          {record.value === null ? null : (
            <Button
              size="sm"
              className="self-start"
              onClick={() =>
                saveFile(
                  `${topicName}-${record.partition}-${record.offset}.bin`,
                  Uint8Array.from(fromBase64(record.value?.base64 ?? '')),
                )
              }
            >
              <Download aria-hidden />
              Download value
            </Button>
          )}
        </div>
      )}
    </Dialog>
  );
}

function Headers({ record: { headers, headersLeftOut } }: { record: BrowsedRecord }) {
  return (
    <section aria-label="Headers">
      <h3 className="font-medium text-ink text-sm">Headers</h3>
      {headers.length === 0 ? (
        <p className="mt-1 text-[0.8125rem] text-ink-3">None.</p>
      ) : (
        <dl className="mt-1 grid grid-cols-[minmax(0,1fr)_minmax(0,2fr)] gap-x-4 gap-y-1 font-mono text-xs">
          {headers.map(({ key, value }, index) => (
            <div key={index} className="contents">
              <dt className="break-all text-ink-3">{preview(fromBase64(key.base64))}</dt>
              <dd className="break-all text-ink">{value === null ? '–' : preview(fromBase64(value.base64), 2_000)}</dd>
            </div>
          ))}
        </dl>
      )}
      {headersLeftOut === 0 ? null : (
        <p className="mt-1 text-[0.8125rem] text-ink-3">
          {formatCount(headersLeftOut)} more headers are too large to show.
        </p>
      )}
    </section>
  );
}
