import {
  estimateState,
  formatUsdCents,
  parseState,
  presetById,
  presetQuery,
  restsOnSmallBench,
} from '@penstock/pricing';
import { Badge, Table, Td, Th, Tr } from '@penstock/ui';

const PRESET = presetById('penstock-1-gib');

/** The infrastructure cost of a well-known load with Penstock, line by line. */
export function ReferenceBill() {
  if (PRESET === undefined) {
    return null;
  }
  const [system] = estimateState(parseState(PRESET.fields).state, new Set(['penstock'])).systems;
  if (system === undefined || !system.available) {
    return null;
  }
  const lines = system.lines.filter((line) => line.component !== 'vendor fee');
  return (
    <section aria-labelledby="reference-bill" className="mt-12">
      <h2 id="reference-bill" className="font-semibold text-ink text-xl tracking-tight">
        The infrastructure of 1 GiB/s, line by line
      </h2>
      <p className="mt-1 max-w-prose text-ink-2 text-sm leading-6">
        Seven days of retention, one reader, three zones, 4:1 compression and one-year machines: the workload and the
        assumptions of Buf’s published bill. Our fees are not included.{' '}
        <a
          href={`/pricing?${presetQuery(PRESET)}#calculator`}
          className="rounded text-accent-ink underline underline-offset-4"
        >
          Open it in the calculator
        </a>
        .
      </p>
      <div className="mt-4 overflow-hidden rounded-xl border border-line bg-surface">
        <Table label="Infrastructure of 1 GiB/s" stacks={false}>
          <thead>
            <tr>
              <Th>Line</Th>
              <Th numeric>per month</Th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <Tr key={line.id}>
                <Td className="text-ink">
                  {line.label}{' '}
                  {restsOnSmallBench(line) ? <Badge tone="warn">measured on two shared cores</Badge> : null}
                </Td>
                <Td numeric>{formatUsdCents(line.amount)}</Td>
              </Tr>
            ))}
            <Tr>
              <Td className="font-semibold text-ink">Infrastructure</Td>
              <Td numeric className="font-semibold text-ink">
                {formatUsdCents(system.infrastructure)}
              </Td>
            </Tr>
          </tbody>
        </Table>
      </div>
    </section>
  );
}
