// Names and units for benchmark figures, derived from their keys in the result: `write_cpu_s_per_gib`, `load.partitions`. Pure.

export interface FigureName {
  label: string;
  /** Empty when the figure is a count or a ratio. */
  unit: string;
}

/** Figures whose keys do not make a clear name. */
const OWN_NAMES: Readonly<Record<string, FigureName>> = {
  seconds: { label: 'Duration', unit: 's' },
  cpu_to_kafka: { label: 'CPU relative to Apache Kafka', unit: '' },
  look_every_s: { label: 'Time between checks', unit: 's' },
  longest_look_ms: { label: 'Longest check', unit: 'ms' },
  relative_error: { label: 'Largest relative error of a percentile', unit: '' },
  bytes_per_agent_day_10s: { label: 'Stored per agent per day at 10-second resolution', unit: 'bytes' },
  bytes_per_agent_day_1m: { label: 'Stored per agent per day at 1-minute resolution', unit: 'bytes' },
  bytes_per_agent_day_1h: { label: 'Stored per agent per day at 1-hour resolution', unit: 'bytes' },
  merge_bytes_written_per_byte_read: { label: 'Bytes written per byte read by merging', unit: '' },
  kept_bytes_per_agent: { label: 'Stored per agent', unit: 'bytes' },
  kept_gib_1000_agents: { label: 'Stored for 1,000 agents', unit: 'GiB' },
};

const UNITS: Readonly<Record<string, string>> = {
  ms: 'ms',
  s: 's',
  bytes: 'bytes',
  kib: 'KiB',
  mib: 'MiB',
  gib: 'GiB',
  cores: 'cores',
};
/** Denominators of rates, as units. */
const RATE_UNITS: Readonly<Record<string, string>> = { s: 's', gib: 'GiB', day: 'day' };

const WORDS: Readonly<Record<string, string>> = {
  cpu: 'CPU',
  gc: 'garbage collection',
  gets: 'GETs',
  gib: 'GiB',
  html: 'HTML',
  kafka: 'Kafka:',
  kib: 'KiB',
  mib: 'MiB',
  baseline: 'baseline:',
  postgres: 'PostgreSQL',
  puts: 'PUTs',
  rpc: 'RPC',
  saved: 'with saved PUTs:',
  tls: 'TLS:',
  rss: 'resident memory',
  recharts: 'Recharts:',
  s3: 'S3',
  wal: 'WAL',
};

/** @param key the path of the figure in the result */
export function figureName(key: string): FigureName {
  const own = OWN_NAMES[key];
  if (own !== undefined) {
    return own;
  }
  const [first = { label: '', unit: '' }, ...rest] = key.split('.').map(partName);
  const inner = rest.map(({ label }) => label).join(', ');
  const label = inner === '' ? first.label : `${first.label}: ${inner}`;
  return {
    label: `${label.charAt(0).toUpperCase()}${label.slice(1)}`,
    unit: [first, ...rest].find(({ unit }) => unit !== '')?.unit ?? '',
  };
}

function partName(text: string): FigureName {
  const words = text.split('_');
  const at = words.findIndex((word, index) => index > 0 && (word in UNITS || rateLength(words.slice(index)) > 0));
  if (at === -1) {
    return { label: labelOf(words), unit: '' };
  }
  const unit = UNITS[words[at] ?? ''];
  const rest = words.slice(unit === undefined ? at : at + 1);
  // After a unit, `per` divides by whatever follows: `ms per step`.
  const length = rateLength(rest) || (unit !== undefined && rest[0] === 'per' ? 2 : 0);
  const by = rest.slice(1, length).map((word) => RATE_UNITS[word] ?? word);
  const rate = length === 0 ? '' : by.join(' ') === 's' && unit !== undefined ? '/s' : ` per ${by.join(' ')}`;
  return {
    label: labelOf(words.toSpliced(at, length + (unit === undefined ? 0 : 1))),
    unit: `${unit ?? ''}${rate}`.trim(),
  };
}

/** How many leading words form a rate: `per_s`, `per_stored_gib`. */
function rateLength([per, first = '', second = '']: readonly string[]): number {
  if (per !== 'per') {
    return 0;
  }
  return first in RATE_UNITS ? 2 : first === 'stored' && second in RATE_UNITS ? 3 : 0;
}

function labelOf(words: readonly string[]): string {
  return words
    .map((word) => WORDS[word] ?? word)
    .join(' ')
    .replace(/(?<!until|at) day (\d+)/, ', day $1')
    .replace(/:$/, '');
}
