import { Card, EmptyState, Table, Td, Th, Tr } from '@penstock/ui';
import { BarChart } from './bar-chart';
import { OWN_TITLES } from './own-charts';
import { OWN_NOTES } from './own-notes';
import type { OwnResult } from './own-result';
import { APPEND_KAFKA_ROWS, APPEND_ROWS, type MeasurementSource, SOURCES_MEASURED } from './published-measurements';

/** Measurements that others published, with their setup, and our own results. */
export function BenchmarksPage({ own }: { own: readonly OwnResult[] }) {
  return (
    <div className="mx-auto max-w-6xl px-4 py-10 sm:px-8 sm:py-14">
      <header className="max-w-3xl">
        <h1 className="font-semibold text-3xl text-ink tracking-tight sm:text-4xl">Benchmarks</h1>
        <p className="mt-3 text-ink-2 leading-7">
          Published measurements with their source and setup, and our own results with hardware and command. The figures
          come from different machines and workloads, so they aren’t directly comparable.
        </p>
      </header>
      <section aria-labelledby="own" className="mt-10">
        <h2 id="own" className="font-semibold text-ink text-xl tracking-tight">
          Our own results
        </h2>
        {own.length === 0 ? (
          <div className="mt-4">
            <EmptyState title="No results yet">
              Results of benchmarks that ran on this installation appear here.
            </EmptyState>
          </div>
        ) : (
          own.map((result) => <OwnSection key={result.name} result={result} />)
        )}
      </section>
      {SOURCES_MEASURED.map((source) => (
        <SourceSection key={source.id} source={source} />
      ))}
    </div>
  );
}

/** A host that gives away less changes figures by less than they differ from run to run. */
const NOTABLE_STOLEN_PERCENT = 1;

function OwnSection({ result }: { result: OwnResult }) {
  const notes = OWN_NOTES[result.name];
  return (
    <section aria-labelledby={`own-${result.name}`} className="mt-6">
      <h3 id={`own-${result.name}`} className="font-medium text-base text-ink">
        {OWN_TITLES[result.name] ?? result.name}
      </h3>
      <p className="mt-0.5 text-[0.8125rem] text-ink-3 leading-5">
        {result.measuredAt === null ? null : `${result.measuredAt} · `}
        {result.hardware === null ? null : `${result.hardware} · `}
        <code className="font-mono text-xs">{result.command}</code>
      </p>
      {result.stolenPercent === null || result.stolenPercent < NOTABLE_STOLEN_PERCENT ? null : (
        <p className="mt-2 max-w-3xl text-ink-2 text-sm leading-6">
          <span className="font-medium text-ink">Busy host:</span> During the run, the machine’s host gave{' '}
          {result.stolenPercent} % of the processor time to other machines. The figures of both systems are worse for
          it.
        </p>
      )}
      {notes === undefined ? null : (
        <div className="mt-2 max-w-3xl space-y-1 text-ink-2 text-sm leading-6">
          <p>
            <span className="font-medium text-ink">What ran:</span> {notes.ran}
          </p>
          <p>
            <span className="font-medium text-ink">What it doesn’t show:</span> {notes.notShown}
          </p>
        </div>
      )}
      {result.charts.length === 0 ? null : (
        <div className="mt-3 grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
          {result.charts.map((chart) => (
            <Card key={chart.title} title={chart.title}>
              <BarChart bars={chart.bars} unit={chart.unit} label={chart.title} />
            </Card>
          ))}
        </div>
      )}
      {result.figures.length === 0 ? null : (
        <details className="mt-3 rounded-xl border border-line bg-surface">
          <summary className="px-5 py-3 font-medium text-ink text-sm hover:bg-hover">
            {result.charts.length === 0 ? 'All figures' : 'Other figures and workload'}
          </summary>
          <div className="border-line border-t">
            <Table label={`Figures of ${OWN_TITLES[result.name] ?? result.name}`}>
              <thead>
                <tr>
                  <Th>Figure</Th>
                  <Th numeric>Measured</Th>
                </tr>
              </thead>
              <tbody>
                {result.figures.map((figure) => (
                  <Tr key={figure.label}>
                    <Td className="text-ink">{figure.label}</Td>
                    <Td numeric>{figure.text}</Td>
                  </Tr>
                ))}
              </tbody>
            </Table>
          </div>
        </details>
      )}
    </section>
  );
}

function SourceSection({ source }: { source: MeasurementSource }) {
  return (
    <section aria-labelledby={`measured-${source.id}`} className="mt-12">
      <h2 id={`measured-${source.id}`} className="font-semibold text-ink text-xl tracking-tight">
        {source.title}
      </h2>
      <p className="mt-1 text-ink-3 text-sm">{source.date}</p>
      <div className="mt-4 grid gap-5 lg:grid-cols-2">
        {source.measurements.map((measurement) => (
          <Card key={measurement.id} title={measurement.title} description={measurement.setup}>
            <BarChart bars={measurement.bars} unit={measurement.unit} label={measurement.title} />
            {measurement.note === undefined ? null : (
              <p className="mt-3 text-[0.8125rem] text-ink-2 leading-5">{measurement.note}</p>
            )}
          </Card>
        ))}
      </div>
      {source.id === 'elastic-stream' ? <AppendTables /> : null}
    </section>
  );
}

function AppendTables() {
  return (
    <details className="mt-5 rounded-xl border border-line bg-surface">
      <summary className="px-5 py-3 font-medium text-ink text-sm hover:bg-hover">Complete append results</summary>
      <div className="border-line border-t">
        <FigureTable
          label="Elastic Stream"
          head={[
            'MB/s',
            'Streams',
            'CPU',
            'Memory MB',
            'Mean ms',
            'p95 ms',
            'p99 ms',
            'p99.9 ms',
            'Server mean µs',
            'Server p95 µs',
            'Server p99 µs',
            'Server p99.9 µs',
          ]}
          rows={APPEND_ROWS}
        />
        <FigureTable
          label="Apache Kafka, one broker"
          head={['MB/s', 'Partitions', 'CPU', 'Mean ms', 'p95 ms', 'p99 ms', 'p99.9 ms']}
          rows={APPEND_KAFKA_ROWS}
        />
      </div>
    </details>
  );
}

function FigureTable({
  label,
  head,
  rows,
}: {
  label: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
}) {
  return (
    <>
      <h3 className="px-5 pt-4 pb-1 font-medium text-ink text-sm">{label}</h3>
      <Table label={label} className="text-xs">
        <thead>
          <tr>
            {head.map((title) => (
              <Th key={title} numeric>
                {title}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Tr key={row.join(' ')}>
              {head.map((title, column) => (
                <Td key={title} numeric>
                  {row[column]}
                </Td>
              ))}
            </Tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}
