import { Section } from './section';

const GOOD = [
  'Logs, events, change data capture, telemetry, analytics, feature pipelines',
  'Many partitions and many consumers of the same data',
  'Long retention at object storage prices',
  'Teams that don’t want to operate brokers',
];

const NOT = ['Request-reply over topics, trading and other workloads that need single-digit milliseconds'];

export function TradeOffSection() {
  return (
    <Section
      id="trade-off"
      number="03"
      title="The trade-off is latency"
      lead={
        <p>
          A produce request completes when its records are in object storage and their offsets are in the journal. With
          the default flush interval, this takes hundreds of milliseconds. Brokers with disks respond in a few. A
          shorter interval reduces latency but costs more object storage requests. An agent skips the interval when
          nobody who waits could send more. If your service needs single-digit milliseconds, keep it on brokers with
          disks.
        </p>
      }
    >
      <div className="grid gap-6 md:grid-cols-2">
        <Column title="Good fit" items={GOOD} mark="+" />
        <Column title="Not a good fit" items={NOT} mark="–" />
      </div>
    </Section>
  );
}

function Column({ title, items, mark }: { title: string; items: readonly string[]; mark: string }) {
  return (
    <div className="rounded-xl border border-line bg-surface p-6">
      <h3 className="font-semibold text-ink">{title}</h3>
      <ul className="mt-4 space-y-3 text-ink-2 text-sm leading-6">
        {items.map((item) => (
          <li key={item} className="flex gap-3">
            <span aria-hidden className="font-mono text-accent-ink">
              {mark}
            </span>
            {item}
          </li>
        ))}
      </ul>
    </div>
  );
}
