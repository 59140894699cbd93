'use client';

import { cx } from '@penstock/ui';
import { Ago, DateTime } from '../time';
import { useLiveCluster } from './live-cluster';
import { useLiveSummary } from './use-live-parts';

const WORDS = { connecting: 'Connecting…', live: 'Live', reconnecting: 'Reconnecting…' } as const;

/** How fresh the page is. When the connection drops, the data stays with the time of its last update. */
export function ConnectionLine() {
  const { connection } = useLiveCluster();
  const summary = useLiveSummary();
  return (
    <p className="flex items-center gap-2 text-ink-3 text-xs" data-connection={connection}>
      <span aria-hidden className={cx('size-1.5 rounded-full', connection === 'live' ? 'bg-ok' : 'bg-warn')} />
      <span role="status">{WORDS[connection]}</span>
      {summary === null ? null : connection === 'live' ? (
        <span className="hidden sm:inline">
          Updated <Ago timeMs={summary.atMs} />
        </span>
      ) : (
        <span>
          last updated <DateTime timeMs={summary.atMs} />
        </span>
      )}
    </p>
  );
}
