import { Section } from './section';

const GOOD = [
  'Logs, events, change data capture, telemetry, analytics, feature pipelines',
  'Many partitions and many consumers of the same data',
  'Long retention at the price of object storage',
  'Teams that would rather not operate brokers',
];

const NOT = [
  'Request and reply over topics, trading, anything that needs single-digit milliseconds',
  'Kafka transactions, ACLs: not supported yet',
  'Agents listen without TLS or SASL today: keep them inside a private network',
];

export function TradeOffSection() {
  return (
    <Section
      id="trade-off"
      number="03"
      title="The trade-off, said plainly: latency"
      lead={
        <p>
          A produce call returns when its record is in object storage and its offset is in the journal. With the default
          flush interval that is hundreds of milliseconds, where brokers with disks answer in a few. You can shorten the
          interval; you then pay for more object-storage requests. If your service waits on each record, keep it on
          brokers with disks.
        </p>
      }
    >
      <div className="grid gap-6 md:grid-cols-2">
        <Column title="A good fit" items={GOOD} mark="+" />
        <Column title="Not a fit, or not yet" items={NOT} mark="–" />
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
