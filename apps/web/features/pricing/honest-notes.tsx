import Link from 'next/link';

const NOTES = [
  [
    'Where traffic between zones is free',
    'On Azure it costs nothing: choose it, and see how much of the saving is left.',
  ],
  [
    'Small loads',
    'Three machines and a cluster fee cost the same at 1 KiB/s as at 1 MiB/s. Below the break-even a small Kafka, or our free dev cluster, is the better choice.',
  ],
  [
    'Rivals at their best',
    'Kafka stands there with fetch-from-follower and with tiered storage, on the same current machines as our agents. Each row says how it is drawn.',
  ],
  [
    'Compressed or not',
    'Vendors, we among them, bill before compression; networks and disks carry what is left after it. The ratio is yours to set.',
  ],
  [
    'Nobody’s time',
    'No working hours are counted, for nobody: neither the nights that Kafka costs nor the days that a migration takes.',
  ],
  [
    'What we did not verify',
    'Prices and assumptions without a copy of the vendor’s own page are marked unverified and can be replaced.',
  ],
] as const;

/** What people rightly hold against such calculators, and what this one does about it. */
export function HonestNotes() {
  return (
    <section aria-labelledby="notes" className="mt-12">
      <h2 id="notes" className="font-semibold text-ink text-xl tracking-tight">
        What to hold against a calculator
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
        <Link href="/pricing/published" className="rounded text-accent-ink underline underline-offset-4">
          Every figure of five published analyses, recomputed
        </Link>
        <Link href="/benchmarks" className="rounded text-accent-ink underline underline-offset-4">
          Published and own measurements
        </Link>
        <a href="/api/v1/tco/catalogue" className="rounded text-accent-ink underline underline-offset-4">
          The price catalogue as JSON
        </a>
      </p>
    </section>
  );
}
