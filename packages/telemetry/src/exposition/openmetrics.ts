// The text format of OpenMetrics 1.0: https://prometheus.io/docs/specs/om/open_metrics_spec/
// Every exposition of the control plane is rendered here.
export type FamilyType = 'gauge' | 'counter' | 'histogram' | 'info' | 'gaugehistogram' | 'stateset';

/** The content type of the rendered text. */
export const OPENMETRICS_CONTENT_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

export interface MetricSample {
  /** Empty for a gauge and a state set. */
  suffix: '' | '_total' | '_bucket' | '_count' | '_sum' | '_gcount' | '_gsum' | '_info';
  labels: Readonly<Record<string, string>>;
  value: number;
}

export interface Family {
  name: string;
  type: FamilyType;
  help: string;
  /** If present, the name must end with it. */
  unit?: 'seconds' | 'bytes' | 'ratio';
  samples: readonly MetricSample[];
}

/** The text of all families, ended by `# EOF`. Send it as OPENMETRICS_CONTENT_TYPE. */
export function renderOpenMetrics(families: readonly Family[]): string {
  const lines: string[] = [];
  for (const { name, type, help, unit, samples } of families) {
    lines.push(`# TYPE ${name} ${type}`);
    if (unit !== undefined) {
      lines.push(`# UNIT ${name} ${unit}`);
    }
    lines.push(`# HELP ${name} ${escapeText(help)}`);
    for (const { suffix, labels, value } of samples) {
      lines.push(`${name}${suffix}${labelText(labels)} ${numberText(value)}`);
    }
  }
  return `${lines.join('\n')}\n# EOF\n`;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escapeText(value)}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

function escapeText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function numberText(value: number): string {
  if (Number.isNaN(value)) {
    return 'NaN';
  }
  if (!Number.isFinite(value)) {
    return value > 0 ? '+Inf' : '-Inf';
  }
  return String(value);
}

interface LabelledValue {
  labels?: Readonly<Record<string, string>>;
  value: number;
}

/** A family with one sample without suffix per entry. */
export function gauge(name: string, help: string, values: readonly LabelledValue[], unit?: Family['unit']): Family {
  return familyOf('gauge', '', name, help, values, unit);
}

/** A family with one `_total` per entry. */
export function counter(name: string, help: string, values: readonly LabelledValue[], unit?: Family['unit']): Family {
  return familyOf('counter', '_total', name, help, values, unit);
}

function familyOf(
  type: FamilyType,
  suffix: MetricSample['suffix'],
  name: string,
  help: string,
  values: readonly LabelledValue[],
  unit: Family['unit'] | undefined,
): Family {
  return {
    name,
    type,
    help,
    ...(unit === undefined ? {} : { unit }),
    samples: values.map(({ labels = {}, value }) => ({ suffix, labels, value })),
  };
}
