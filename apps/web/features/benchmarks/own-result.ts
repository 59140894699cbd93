// Our own results as the benchmarks leave them: one JSON object a file, figures at the top level. Pure.
import type { Bar } from './published-measurements';

export type OwnResult = {
  readonly name: string;
  readonly measuredAt: string | null;
  readonly command: string | null;
  readonly hardware: string | null;
  readonly figures: readonly Bar[];
};

const NOT_FIGURES = new Set([
  'bench',
  'name',
  'command',
  'machine',
  'hardware',
  'measuredAt',
  'measured_at',
  'at',
  'date',
]);

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
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
          return text === null ? [] : [`${key.replaceAll('_', ' ')} ${text}`];
        })
        .join(', ')
    : null;
}

/** Reads one result; null when it is not one (the page then leaves it out rather than guessing). */
export function readOwnResult(fileName: string, json: unknown): OwnResult | null {
  if (!isRecord(json)) {
    return null;
  }
  const figures = Object.entries(json).flatMap(([key, value]): Bar[] =>
    typeof value === 'number' && Number.isFinite(value) && !NOT_FIGURES.has(key)
      ? [
          {
            label: key.replaceAll('_', ' '),
            value: Math.abs(value),
            text: value.toLocaleString('en-US', { maximumFractionDigits: 3 }),
            ours: true,
          },
        ]
      : [],
  );
  return figures.length === 0
    ? null
    : {
        name: textOf(json['bench'] ?? json['name']) ?? fileName.replace(/\.json$/, ''),
        measuredAt: textOf(json['measuredAt'] ?? json['measured_at'] ?? json['at'] ?? json['date']),
        command: textOf(json['command']),
        hardware: textOf(json['machine'] ?? json['hardware']),
        figures,
      };
}
