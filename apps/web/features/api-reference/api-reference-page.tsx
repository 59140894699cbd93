import { CodeBlock } from '@penstock/ui';
import Link from 'next/link';
import type { Reference as PreparedReference } from './prepare-reference';
import { Reference } from './reference';

const CREATE = `curl -X POST "$PENSTOCK_URL/api/v1/clusters" \\
  -H "Authorization: Bearer $PENSTOCK_API_KEY" \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -H "Content-Type: application/json" \\
  -d '{"name": "orders", "cloud": "aws", "region": "eu-central-1"}'`;

/** The public API reference: getting started, then every operation with a form to try it. */
export function ApiReferencePage({ reference }: { reference: PreparedReference }) {
  return (
    <article className="min-w-0 py-10 lg:py-12">
      <p className="font-mono text-accent-ink text-xs">Docs</p>
      <h1 className="mt-2 font-semibold text-4xl text-ink tracking-tight">API reference</h1>
      <p className="mt-4 max-w-3xl text-ink-2 text-lg leading-8">
        Use the API to manage everything in an organization that you can manage in the dashboard, with the same
        permissions. Only personal actions require the dashboard: signing in, passkeys, accepting invitations, adding a
        card and deleting an organization. Create a key on your organization’s{' '}
        <Link href="/app/api-keys" className="font-medium text-accent-ink underline underline-offset-4">
          API keys
        </Link>{' '}
        page. This page is generated from{' '}
        <a href="/api/v1/openapi.json" className="font-medium text-accent-ink underline underline-offset-4">
          openapi.json
        </a>{' '}
        (OpenAPI 3.1).
      </p>
      <div className="mt-8 max-w-3xl">
        <CodeBlock title="Create a cluster" code={CREATE} />
      </div>
      <div className="mt-10">
        <Reference reference={reference} />
      </div>
    </article>
  );
}
