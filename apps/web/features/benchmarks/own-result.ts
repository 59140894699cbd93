// Parses our own benchmark results: one JSON object per file, figures at the top level. Pure.
import { figureName } from './figure-name';
import { OWN_CHARTS } from './own-charts';
import type { MeasuredBar } from './published-measurements';

export interface OwnChart {
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly MeasuredBar[];
}
export interface OwnResult {
  readonly name: string;
  readonly measuredAt: string | null;
  readonly command: string;
  /** The machine in words; null when the result does not name it. */
  readonly hardware: string | null;
  /** Share of the processor time that the machine's host gave to others during the run, in percent. Null when the result does not name it. */
  readonly stolenPercent: number | null;
  readonly charts: readonly OwnChart[];
  /** The figures that are in no chart. */
  readonly figures: readonly MeasuredBar[];
}

const NOT_FIGURES = new Set(['bench', 'name', 'command', 'machine', 'date']);

type Facts = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Facts {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string' || typeof value === 'number') {
    return String(value);
  }
  return isRecord(value)
    ? Object.entries(value)
        .flatMap(([key, part]) => {
          const text = textOf(part);
          return text === null || text === '' ? [] : [`${key.replaceAll('_', ' ')} ${text}`];
        })
        .join(', ')
    : null;
}

/** All numbers of a result by their path, e.g. `load.partitions`. */
function numbersIn(facts: Facts, prefix = ''): readonly (readonly [string, number])[] {
  return Object.entries(facts).flatMap(([key, value]) => {
    if (prefix === '' && NOT_FIGURES.has(key)) {
      return [];
    }
    if (typeof value === 'number' && Number.isFinite(value)) {
      return [[`${prefix}${key}`, value] as const];
    }
    return isRecord(value) ? numbersIn(value, `${prefix}${key}.`) : [];
  });
}

const bar = (label: string, value: number, isOurs: boolean): MeasuredBar => ({
  label,
  value: Math.abs(value),
  text: value.toLocaleString('en-US', { maximumFractionDigits: 3 }),
  ...(isOurs ? { ours: true as const } : {}),
});

/** The machine without the date, which is shown separately. */
function hardwareOf(machine: unknown): string | null {
  if (!isRecord(machine)) {
    return textOf(machine);
  }
  const { cpu, cores, memory_gib: memoryGib, kernel, stolen_percent: _stolen, date: _, ...rest } = machine;
  const known = [
    textOf(cpu),
    cores === undefined ? null : `${textOf(cores)} cores`,
    memoryGib === undefined ? null : `${textOf(memoryGib)} GiB of memory`,
    textOf(kernel),
    textOf(rest),
  ];
  return known.filter((part) => part !== null && part !== '').join(', ') || null;
}

/** Parses one result; null when it is invalid, so that the page leaves it out. */
export function readOwnResult(fileName: string, json: unknown): OwnResult | null {
  if (!isRecord(json)) {
    return null;
  }
  const name = textOf(json['bench'] ?? json['name']) ?? fileName.replace(/\.json$/, '');
  const numbers = new Map(numbersIn(json));
  if (numbers.size === 0) {
    return null;
  }
  const charts = (OWN_CHARTS[name] ?? [])
    .map(({ title, unit, bars }) => ({
      title,
      unit,
      bars: bars.flatMap((spec): MeasuredBar[] => {
        const value = numbers.get(spec.key);
        return value === undefined ? [] : [bar(spec.label, value, spec.ours)];
      }),
    }))
    .filter((chart) => chart.bars.length > 0);
  const charted = new Set((OWN_CHARTS[name] ?? []).flatMap((chart) => chart.bars.map((spec) => spec.key)));
  const machine = json['machine'];
  const day = textOf(json['date'] ?? (isRecord(machine) ? machine['date'] : undefined));
  return {
    name,
    measuredAt: day === null ? null : day.slice(0, 10),
    command: textOf(json['command']) ?? `npm run bench -- ${name}`,
    hardware: hardwareOf(machine),
    stolenPercent:
      isRecord(machine) && typeof machine['stolen_percent'] === 'number' ? machine['stolen_percent'] : null,
    charts,
    figures: [...numbers]
      .filter(([key]) => !charted.has(key))
      .map(([key, value]) => {
        const { label, unit } = figureName(key);
        const { text, ...rest } = bar(label, value, true);
        return { ...rest, text: unit === '' ? text : `${text} ${unit}` };
      }),
  };
}
