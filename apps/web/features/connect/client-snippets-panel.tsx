'use client';

import { CodeBlock, Tabs } from '@penstock/ui';
import { type ClientConnection, clientSnippets } from './client-snippets';

/** Snippets for unmodified Kafka clients with one bootstrap address. */
export function ClientSnippetsPanel({ connection }: { connection: ClientConnection }) {
  return (
    <Tabs
      label="Kafka client"
      items={clientSnippets(connection).map((snippet) => ({
        value: snippet.id,
        label: snippet.label,
        content: (
          <div className="flex flex-col gap-3">
            <CodeBlock title={snippet.title} code={snippet.code} />
            {snippet.note === undefined ? null : (
              <p className="text-[0.8125rem] text-ink-3 leading-5">{snippet.note}</p>
            )}
          </div>
        ),
      }))}
    />
  );
}
