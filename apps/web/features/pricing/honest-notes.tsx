import Link from 'next/link';

const NOTES = [
  [
    'Free traffic between zones',
    'Azure doesn’t charge for traffic between zones. Choose Azure to see how much you still save.',
  ],
  [
    'Small loads',
    'Three machines and a cluster fee cost the same at 1 KiB/s as at 1 MiB/s. Below the break-even point, a small Kafka cluster or our free dev cluster is the better choice.',
  ],
  [
    'Well-run alternatives',
    'We compare with Kafka that uses fetch-from-follower or tiered storage, on the same machine types as our agents, and with CPU from the same benchmark. Each bill lists its assumptions.',
  ],
  [
    'Compression',
    'Vendors, including us, bill uncompressed data. Networks and disks carry compressed data. Set the ratio to match your data.',
  ],
  ['Labor', 'Working hours are not included: neither operating Kafka nor migrating from it.'],
  [
    'Unverified values',
    'Prices and assumptions that we couldn’t check against the vendor’s own page are marked unverified. You can replace them.',
  ],
] as const;

/** Common objections to cost calculators, and how this one addresses them. */
export function HonestNotes() {
  return (
    <section aria-labelledby="notes" className="mt-12">
      <h2 id="notes" className="font-semibold text-ink text-xl tracking-tight">
        Limitations of this estimate
      </h2>
      <dl className="mt-5 grid gap-x-8 gap-y-5 sm:grid-cols-2 lg:grid-cols-3">
        {NOTES.map(([term, text]) => (
          <div key={term}>
            <dt className="font-medium text-ink text-sm">{term}</dt>
            <dd className="mt-1 text-ink-2 text-sm leading-6">{text}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-6 flex flex-wrap gap-x-6 gap-y-2 text-sm">
        <Link href="/pricing/defaults" className="rounded text-accent-ink underline underline-offset-4">
          Every default that favors us or others, and why it stands
        </Link>
        <Link href="/pricing/published" className="rounded text-accent-ink underline underline-offset-4">
          Every figure of five published analyses, recomputed
        </Link>
        <Link href="/benchmarks" className="rounded text-accent-ink underline underline-offset-4">
          Published benchmarks and our own
        </Link>
        <a href="/api/v1/tco/catalogue" className="rounded text-accent-ink underline underline-offset-4">
          The price catalog as JSON
        </a>
      </p>
    </section>
  );
}
