import { CodeBlock, Notice } from '@penstock/ui';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { clientSnippets } from '../connect';

const START = 'npm start';
const AGENT = `cargo build --release --manifest-path apps/agent/Cargo.toml
export PENSTOCK_AGENT_KEY=psk_agent_YOUR_KEY
apps/agent/target/release/penstock agent \\
  --cluster YOUR_CLUSTER_ID \\
  --metadata-url http://127.0.0.1:7070 \\
  --bucket file:///tmp/penstock \\
  --listen 127.0.0.1:9192 \\
  --http-listen 127.0.0.1:0`;

/** From a clone of the repository to the first record. */
export function QuickStartPage() {
  const kcat = clientSnippets('127.0.0.1:9092').find((snippet) => snippet.id === 'kcat');
  return (
    <article className="mx-auto w-full max-w-3xl px-4 py-12 sm:px-8 sm:py-16">
      <p className="font-mono text-accent-ink text-xs">docs</p>
      <h1 className="mt-2 font-semibold text-4xl text-ink tracking-tight">Quick start</h1>
      <p className="mt-4 text-ink-2 text-lg leading-8">
        From a clone of the repository to the first record, on one machine. You need Node with npm, and cargo.
      </p>
      <Step number={1} title="Start everything">
        <p>
          One command installs what is missing, builds, and runs the web app, the metadata service, the worker, a
          PostgreSQL and one agent that stores in a folder.
        </p>
        <CodeBlock title="Terminal, in the repository" code={START} />
        <p>
          It ends by printing the address of the dashboard, the demo login and the Kafka bootstrap address, and keeps
          them in <Code>.penstock/started.json</Code>. Ctrl-C stops all of it.
        </p>
      </Step>
      <Step number={2} title="Produce and consume">
        <p>The demo cluster already has an agent. Use any Kafka client; with kcat:</p>
        <CodeBlock title="Terminal" code={kcat?.code ?? ''} />
        <p>
          Sign in with the demo login and open the demo cluster: the topic, the traffic and the metered bytes are there,
          without a reload.
        </p>
      </Step>
      <Step number={3} title="Your own cluster and agent">
        <p>
          <Link href="/sign-up" className="font-medium text-accent-ink underline underline-offset-4">
            Create an account
          </Link>
          ; the verification mail lands in <Code>/dev/mailbox</Code>. Create a cluster, and its Connect section shows
          this command with key and cluster id filled in:
        </p>
        <CodeBlock title="Terminal, in the repository" code={AGENT} />
        <p>
          The demo’s agent has the usual ports, so this one listens on 9192. Each option is also an environment
          variable: <Code>PENSTOCK_AGENT_KEY</Code>, <Code>PENSTOCK_CLUSTER</Code>, <Code>PENSTOCK_METADATA_URL</Code>,{' '}
          <Code>PENSTOCK_BUCKET</Code>, <Code>PENSTOCK_ZONE</Code>, <Code>PENSTOCK_LISTEN</Code>.
        </p>
      </Step>
      <Step number={4} title="On a real bucket">
        <p>
          Give <Code>--bucket s3://my-bucket</Code>, <Code>gs://…</Code> or <Code>az://…</Code>, and run one agent or
          more in every zone where your clients are. Credentials come from the machine’s role or the cloud’s usual
          variables. All agents of a cluster use the same bucket.
        </p>
        <Notice tone="warn" title="Keep agents inside a private network">
          They listen without TLS and SASL today.
        </Notice>
      </Step>
    </article>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <section className="mt-12 border-line border-t pt-6">
      <h2 className="flex items-baseline gap-3 font-semibold text-ink text-xl tracking-tight">
        <span className="font-mono text-accent-ink text-sm">{number}</span>
        {title}
      </h2>
      <div className="mt-4 flex flex-col gap-4 text-ink-2 leading-7">{children}</div>
    </section>
  );
}

function Code({ children }: { children: string }) {
  return (
    <code className="whitespace-nowrap rounded bg-inset px-1.5 py-0.5 font-mono text-[0.8125rem] text-ink">
      {children}
    </code>
  );
}
