import {
  formatFigure,
  PRESETS,
  PUBLISHED_FIGURES,
  type PublishedFigure,
  presetQuery,
  SOURCES,
  type SourceId,
  type Verdict,
} from '@penstock/pricing';
import { Badge, Table, Td, Th, type Tone, Tr } from '@penstock/ui';
import Link from 'next/link';

const TONES: Readonly<Record<Verdict, Tone>> = {
  agrees: 'ok',
  differs: 'warn',
  'cannot be derived': 'neutral',
  'nothing to derive': 'neutral',
};
const SOURCE_IDS = Object.keys(SOURCES) as SourceId[];

const count = (verdict: Verdict) => PUBLISHED_FIGURES.filter((figure) => figure.verdict === verdict).length;

/** Every figure of the published analyses next to the result of its own formula. */
export function PublishedPage() {
  return (
    <div className="mx-auto max-w-6xl px-4 py-10 sm:px-8 sm:py-14">
      <header className="max-w-3xl">
        <p className="text-sm">
          <Link href="/pricing" className="rounded text-accent-ink underline underline-offset-4">
            Pricing
          </Link>
        </p>
        <h1 className="mt-2 font-semibold text-3xl text-ink tracking-tight sm:text-4xl">
          Published figures, recomputed
        </h1>
        <p className="mt-3 text-ink-2 leading-7">
          We recomputed five public analyses of streaming costs, figure by figure. Each row shows the stated figure, the
          result of the document’s own formula and inputs, and the reason for any difference. Units are taken as
          written: a GiB is 2<sup>30</sup> bytes. If an input is missing, the row says so.
        </p>
        <ul className="mt-5 flex flex-wrap gap-x-6 gap-y-2 text-ink-2 text-sm" aria-label="Summary">
          <li>
            <strong className="nums text-ink">{count('agrees')}</strong> agree
          </li>
          <li>
            <strong className="nums text-ink">{count('differs')}</strong> differ
          </li>
          <li>
            <strong className="nums text-ink">{count('cannot be derived')}</strong> cannot be derived from the published
            information
          </li>
          <li>
            <strong className="nums text-ink">{count('nothing to derive')}</strong> are inputs or measurements
          </li>
          <li>
            <a href="/api/v1/tco/published-figures" className="rounded text-accent-ink underline underline-offset-4">
              Download as JSON
            </a>
          </li>
        </ul>
      </header>
      {SOURCE_IDS.map((source) => (
        <SourceSection key={source} source={source} />
      ))}
    </div>
  );
}

function SourceSection({ source }: { source: SourceId }) {
  const { title, date } = SOURCES[source];
  const presets = PRESETS.filter((preset) => preset.source === source);
  return (
    <section aria-labelledby={`source-${source}`} className="mt-12">
      <h2 id={`source-${source}`} className="font-semibold text-ink text-xl tracking-tight">
        {title}
      </h2>
      <p className="mt-1 text-ink-3 text-sm">{date}</p>
      <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm" aria-label="Open in the calculator">
        {presets.map((preset) => (
          <li key={preset.id}>
            <a
              href={`/pricing?${presetQuery(preset)}`}
              className="rounded text-accent-ink underline underline-offset-4"
            >
              {preset.title}
            </a>
          </li>
        ))}
      </ul>
      <div className="mt-4 overflow-hidden rounded-xl border border-line bg-surface">
        <Table label={`Figures of ${title}`} className="min-w-[60rem]" stacks>
          <thead>
            <tr>
              <Th>Figure</Th>
              <Th numeric>Stated</Th>
              <Th numeric>Recomputed</Th>
              <Th numeric>Difference</Th>
              <Th>Verdict</Th>
              <Th>Explanation</Th>
            </tr>
          </thead>
          <tbody>
            {PUBLISHED_FIGURES.filter((figure) => figure.source === source).map((figure) => (
              <FigureRow key={figure.id} figure={figure} />
            ))}
          </tbody>
        </Table>
      </div>
    </section>
  );
}

function differenceText({ difference, differencePercent, verdict }: PublishedFigure): string {
  if (difference === null || verdict !== 'differs') {
    return difference === null ? '–' : 'none';
  }
  const sign = difference.isNegative() ? '−' : '+';
  const percent = differencePercent === null ? '' : ` (${sign}${differencePercent.abs().toFixed(1)}%)`;
  return `${sign}${formatFigure(difference.abs())}${percent}`;
}

/** True when the document's own text includes the unit: `3 GiB/s`, `42%`. */
const unitIsSaid = ({ statedText, unit }: PublishedFigure) =>
  statedText.replaceAll(' ', '').toLowerCase().endsWith(unit.replaceAll(' ', '').toLowerCase());

/** The unit, followed by the value in it if the document uses another unit. */
function unitText({ stated, statedText, unit }: PublishedFigure): string {
  return statedText.replaceAll(',', '').includes(stated) ? unit : `${Number(stated).toLocaleString('en-US')} ${unit}`;
}

function FigureRow({ figure }: { figure: PublishedFigure }) {
  return (
    <Tr id={figure.id} data-verdict={figure.verdict}>
      <Td className="min-w-56 max-w-72 align-top text-ink" stack="title">
        {figure.label}
        {figure.formula === null ? null : (
          <span className="mt-0.5 block break-words font-mono text-ink-3 text-xs leading-5">{figure.formula}</span>
        )}
      </Td>
      <Td numeric className="align-top" label="Stated:">
        {figure.statedText}
        {unitIsSaid(figure) ? null : <span className="block text-ink-3 text-xs">{unitText(figure)}</span>}
      </Td>
      <Td numeric className="align-top" label="Recomputed:">
        {figure.computed === null ? '–' : formatFigure(figure.computed)}
      </Td>
      <Td numeric className="align-top" label="Difference:">
        {differenceText(figure)}
      </Td>
      <Td className="align-top" stack="aside">
        <Badge tone={TONES[figure.verdict]}>{figure.verdict}</Badge>
      </Td>
      <Td className="min-w-64 align-top text-[0.8125rem] leading-5" stack="foot">
        {figure.explanation}
      </Td>
    </Tr>
  );
}
