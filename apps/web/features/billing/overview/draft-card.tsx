'use client';

import { Button, Card, EmptyState } from '@penstock/ui';
import { formatCountOf } from '@penstock/units';
import { Download, ReceiptText } from 'lucide-react';
import Link from 'next/link';
import { Ago } from '../../../lib/time';
import { QueryState } from '../../../lib/trpc';
import { dayText, monthText } from '../dates';
import { LineTable } from '../line-table';
import { useDownloadPath } from '../paths';
import { Totals } from '../totals';
import { useDraft } from './use-running-month';

const DRAFT_FORMATS = ['pdf', 'csv', 'json'] as const;

/** The draft bill of the current month. */
export function DraftCard() {
  const draft = useDraft();
  const downloadPath = useDownloadPath();
  return (
    <Card
      title="Draft of the next invoice"
      description={
        draft.data === undefined ? undefined : (
          <>
            {monthText(draft.data.periodStart)}, updated <Ago timeMs={draft.data.countedUntil.getTime()} />. Final on{' '}
            {dayText(draft.data.finalizesAt)}.
          </>
        )
      }
      actions={DRAFT_FORMATS.map((format) => (
        <Button key={format} asChild size="sm">
          <a href={downloadPath('draft', format)} download aria-label={`Download draft as ${format.toUpperCase()}`}>
            <Download aria-hidden />
            {format.toUpperCase()}
          </a>
        </Button>
      ))}
      flush
    >
      <QueryState query={draft} label="Loading draft invoice" rows={4}>
        {(data) =>
          data.lines.length === 0 ? (
            <EmptyState icon={<ReceiptText />} title="No lines yet">
              {data.linesBelowOneCent > 0
                ? `${formatCountOf(data.linesBelowOneCent, 'line')} below half a cent so far.`
                : 'Lines appear with the first usage of the month, one for each cluster, product and tier.'}
            </EmptyState>
          ) : (
            <>
              <LineTable invoice="draft" lines={data.lines} />
              <Totals {...data} totalLabel="Amount due so far" />
              <p className="border-line border-t px-4 py-3 text-ink-3 text-xs leading-5 sm:px-5">
                Write tiers apply to the total of all clusters in the organization. Usage far above a cluster’s usual is{' '}
                <Link href="/docs/pricing#unusual-usage" className="underline underline-offset-4">
                  held for review
                </Link>{' '}
                and not charged until then.
                {data.linesBelowOneCent === 0
                  ? null
                  : ` ${formatCountOf(data.linesBelowOneCent, 'line')} below half a cent ${data.linesBelowOneCent === 1 ? 'isn’t' : 'aren’t'} shown.`}
              </p>
            </>
          )
        }
      </QueryState>
    </Card>
  );
}
