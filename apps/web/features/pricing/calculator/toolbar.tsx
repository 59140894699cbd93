'use client';

import { PRESETS, presetQuery } from '@penstock/pricing';
import { Button, CopyButton } from '@penstock/ui';
import { Download, Printer } from 'lucide-react';
import { memo, useEffect, useState } from 'react';
import { type Fields, queryOfFields } from './fields';

/** The page's URL with the current state; it gets its origin once the browser is known. */
function useShareUrl(query: string): string {
  const [origin, setOrigin] = useState('');
  useEffect(() => setOrigin(window.location.origin), []);
  return `${origin}/pricing${query === '' ? '' : `?${query}`}`;
}

/** Actions on a result: share, download, print, start over. */
export const Toolbar = memo(function Toolbar({ fields, onResetAll }: { fields: Fields; onResetAll: () => void }) {
  const query = queryOfFields(fields);
  const shareUrl = useShareUrl(query);
  const changed = Object.keys(fields).length;
  const suffix = query === '' ? '' : `?${query}`;
  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      <CopyButton text={shareUrl} label="Copy link" />
      <Button asChild size="sm">
        <a href={`/pricing/export/csv${suffix}`} download>
          <Download aria-hidden /> CSV
        </a>
      </Button>
      <Button asChild size="sm">
        <a href={`/pricing/export/json${suffix}`} download>
          <Download aria-hidden /> JSON
        </a>
      </Button>
      <Button size="sm" onClick={() => window.print()}>
        <Printer aria-hidden /> Print
      </Button>
      {changed > 0 ? (
        <Button size="sm" variant="quiet" onClick={onResetAll}>
          Reset all {changed}
        </Button>
      ) : null}
    </div>
  );
});

/** Links that load the published workloads. */
export function PresetLinks() {
  return (
    <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
      {PRESETS.map((preset) => (
        <li key={preset.id}>
          <a
            href={`/pricing?${presetQuery(preset)}#calculator`}
            className="block h-full rounded-lg border border-line bg-surface px-3.5 py-3 hover:border-line-strong hover:bg-hover"
          >
            <span className="block font-medium text-ink text-sm">{preset.title}</span>
            <span className="mt-0.5 block text-ink-3 text-xs leading-5">{preset.description}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
