'use client';

import { CopyButton, Select } from '@penstock/ui';
import { formatCount } from '@penstock/units';
import { useMemo, useState } from 'react';
import type { Content } from './ask-agent';
import { type Decoder, decode, decoders, detect, fromBase64 } from './decode';

const LABELS: Record<Decoder, string> = { json: 'JSON', text: 'Text', hex: 'Hex' };
const OPTIONS = decoders.map((decoder) => ({ value: decoder, label: LABELS[decoder] }));

/** A key or value, with the decoder that fits or the one that the user chose. */
export function ContentView({ label, content, missing }: { label: string; content: Content | null; missing: string }) {
  return (
    <section aria-label={label}>
      {content === null ? (
        <>
          <h3 className="font-medium text-ink text-sm">{label}</h3>
          <p className="mt-1 text-[0.8125rem] text-ink-3">{missing}</p>
        </>
      ) : (
        <Shown label={label} content={content} />
      )}
    </section>
  );
}

function Shown({ label, content }: { label: string; content: Content }) {
  const bytes = useMemo(() => fromBase64(content.base64), [content]);
  const [chosen, setChosen] = useState<Decoder | null>(null);
  const shown = useMemo(() => decode(bytes, chosen ?? detect(bytes)), [bytes, chosen]);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-medium text-ink text-sm">{label}</h3>
        <span className="nums text-ink-3 text-xs">{formatCount(content.bytes)} bytes</span>
        <div className="ml-auto flex items-center gap-1">
          <div className="w-24">
            <Select
              aria-label={`Show ${label.toLowerCase()} as`}
              value={shown.decoder}
              options={OPTIONS}
              onValueChange={(value) => setChosen(decoders.find((decoder) => decoder === value) ?? null)}
            />
          </div>
          <CopyButton text={shown.text} label={`Copy ${label.toLowerCase()}`} iconOnly />
        </div>
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        className="mt-1.5 max-h-72 overflow-auto rounded-lg border border-line bg-inset p-3 font-mono text-ink text-xs leading-5 focus-visible:-outline-offset-2"
      >
        {shown.text}
      </pre>
      {shown.fault === null ? null : <p className="mt-1 text-[0.8125rem] text-ink-3">{shown.fault}</p>}
      {content.bytes > bytes.length ? (
        <p className="mt-1 text-[0.8125rem] text-ink-3">
          Only the first {formatCount(bytes.length)} bytes are shown, because the value is too large.
        </p>
      ) : null}
    </>
  );
}
