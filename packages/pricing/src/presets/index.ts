// One preset per published workload: a state of the calculator that reproduces the published bill as closely as possible.
import { sumUsd } from '../decimal/index.ts';
import type { Estimate } from '../engine/index.ts';
import type { Component } from '../models/index.ts';
import type { SourceId } from '../published/index.ts';
import { encodeState, parseState } from '../state/index.ts';

/** A published figure and the preset's result. `/pricing/published` explains differences. */
export interface Reproduction {
  readonly system: string;
  /** A line of the bill, all lines of a component, or a computed cell such as the number of brokers. */
  readonly what: { readonly line: string } | { readonly component: Component } | { readonly cell: string };
  /** As the document states it: dollars per month, or a count. */
  readonly stated: string;
  /** The preset's result, to the cent. */
  readonly gives: string;
}

export interface Preset {
  readonly id: string;
  readonly title: string;
  readonly source: SourceId;
  readonly description: string;
  /** The changed fields of the calculator. */
  readonly fields: readonly (readonly [string, string])[];
  readonly reproduces: readonly Reproduction[];
}

const WARP_2024_BASE: readonly (readonly [string, string])[] = [
  ['throughput', '1'],
  ['throughputUnit', 'GiB/s'],
  ['compressionRatio', '2.08979591836735'],
  ['fanout', '1'],
  ['peakToAverage', '1'],
  ['commitment', 'reserved'],
  ['monthHours', '720'],
  ['agentMachine', 'm6in.4xlarge'],
  ['asOf', '2024-03-05'],
  ['pin.warpstream.agents', '6'],
  ['pin.warpstream.put_s', '138'],
];
const without = (keys: readonly string[]) => WARP_2024_BASE.filter(([key]) => !keys.includes(key));
const says = (system: string, line: string, stated: string, gives: string): Reproduction => ({
  system,
  what: { line },
  stated,
  gives,
});
const counts = (system: string, cell: string, stated: string): Reproduction => ({
  system,
  what: { cell },
  stated,
  gives: stated,
});

export const PRESETS: readonly Preset[] = [
  {
    id: 'warpstream-2024',
    title: 'WarpStream 2024: 1 GiB/s on six agents',
    source: 'warpstream-2024',
    description: '1 GiB/s in and out, 490 MiB/s compressed, 288 partitions, prices of March 2024.',
    fields: [...WARP_2024_BASE, ['pin.warpstream.get_s', '490']],
    reproduces: [
      says('warpstream', 'agents', '3031', '3031.34'),
      says('warpstream', 'get', '508', '508.03'),
      says('warpstream', 'put', '1788', '1788.48'),
      says('warpstream', 'fee-writes', '7541', '7541.00'),
    ],
  },
  {
    id: 'warpstream-2024-kafka',
    title: 'WarpStream 2024: the Kafka that it is compared with',
    source: 'warpstream-2024',
    description: '200 MB/s after 5x compression, three zones, fetch from follower: the traffic between zones.',
    fields: [
      ['throughput', '200'],
      ['throughputUnit', 'MB/s'],
      ['throughputBasis', 'compressed'],
      ['compressionRatio', '5'],
      ['fanout', '1'],
      ['peakToAverage', '1'],
      ['commitment', 'reserved'],
      ['monthHours', '720'],
      ['asOf', '2024-03-05'],
    ],
    reproduces: [
      says('kafka-follower', 'produce-across-zones', '6912', '6912.00'),
      says('kafka-follower', 'replicate-across-zones', '20376', '20736.00'),
    ],
  },
  {
    id: 'warpstream-2024-fan-out-3',
    title: 'WarpStream 2024: three readers',
    source: 'warpstream-2024',
    description: 'The same six agents with 3 GiB/s of reads and 22% more GETs.',
    fields: [...without(['fanout']), ['fanout', '3']],
    reproduces: [says('warpstream', 'agents', '3031', '3031.34'), says('warpstream', 'put', '1788', '1788.48')],
  },
  {
    id: 'warpstream-2024-partitions',
    title: 'WarpStream 2024: 4,608 partitions',
    source: 'warpstream-2024',
    description: 'Sixteen times the partitions, three readers, 256 producers: the same requests and machines.',
    fields: [...without(['fanout']), ['fanout', '3'], ['partitions', '4608']],
    reproduces: [says('warpstream', 'agents', '3031', '3031.34'), says('warpstream', 'put', '1788', '1788.48')],
  },
  {
    id: 'warpstream-2024-round-robin',
    title: 'WarpStream 2024: round-robin partitioner',
    source: 'warpstream-2024',
    description: '760,000 messages of 1 KiB per second, one reader. The article states no cost for it.',
    fields: [
      ['throughput', '760000'],
      ['throughputUnit', 'KiB/s'],
      ...without(['throughput', 'throughputUnit', 'pin.warpstream.put_s']),
    ],
    reproduces: [says('warpstream', 'agents', '3031', '3031.34')],
  },
  {
    id: 'warpstream-express-2025',
    title: 'WarpStream 2025: 268 MiB/s on S3 Express One Zone',
    source: 'warpstream-2025',
    description: 'Five m7g.xlarge agents, two buckets per file, 4x compression, prices of April 2025.',
    fields: [
      ['throughput', '268'],
      ['throughputUnit', 'MB/s'],
      ['fanout', '1'],
      ['retentionDays', '1'],
      ['peakToAverage', '1'],
      ['commitment', 'reserved'],
      ['monthHours', '720'],
      ['latencyMode', 'express'],
      ['storedOverhead', '1'],
      ['agentMachine', 'm7g.xlarge'],
      ['asOf', '2025-04-18'],
      ['pin.warpstream-express.agents', '5'],
      ['pin.warpstream-express.put_s', '150'],
      ['pin.warpstream-express.get_s', '800'],
    ],
    reproduces: [
      says('warpstream-express', 'agents', '338', '388.80'),
      says('warpstream-express', 'put', '1034', '878.69'),
      says('warpstream-express', 'get', '62', '62.21'),
      says('warpstream-express', 'express-upload', '1111', '1111.45'),
      says('warpstream-express', 'express-retrieval', '416', '416.79'),
      says('warpstream-express', 'object-storage', '130', '133.14'),
    ],
  },
  {
    id: 'warpstream-2025-kafka',
    title: 'WarpStream 2025: the Kafka traffic, as we worked it out',
    source: 'warpstream-2025',
    description:
      '268 MiB/s, 4x compression, two readers without fetch-from-follower, 730 h: the one reading that comes close to $14,765.',
    fields: [
      ['throughput', '268'],
      ['fetchFromFollower', 'false'],
      ['retentionDays', '1'],
      ['peakToAverage', '1'],
      ['asOf', '2025-04-18'],
    ],
    reproduces: [{ system: 'kafka', what: { component: 'inter-zone network' }, stated: '14765', gives: '14770.33' }],
  },
  {
    id: 'bufstream',
    title: 'Buf: 1 GiB/s, seven days, against Kafka',
    source: 'bufstream',
    description: 'Six agents, 4x compression, GiB counted as the cloud’s GB; Kafka on 57 volumes of 16 TiB.',
    fields: [
      ['throughput', '1'],
      ['throughputUnit', 'GiB/s'],
      ['fanout', '1'],
      ['retentionDays', '7'],
      ['peakToAverage', '1'],
      ['commitment', 'reserved'],
      ['monthHours', '720'],
      ['byteUnit', 'GiB'],
      ['agentMachine', 'm6in.xlarge'],
      ['brokerMachine', 'r4.xlarge'],
      ['pin.bufstream.agents', '6'],
      ['pin.bufstream.put_s', '75'],
      ['pin.bufstream.get_s', '125'],
      ['pin.kafka-follower.brokers', '57'],
      ['pin.kafka-follower.disk_gb', '933888'],
    ],
    reproduces: [
      says('bufstream', 'object-storage', '3498', '3496.78'),
      says('bufstream', 'metadata-across-zones', '226', '227.81'),
      says('bufstream', 'fee', '5184', '5184.00'),
      says('kafka-follower', 'disk', '73689', '74711.04'),
    ],
  },
  {
    id: 'penstock-1-gib',
    title: 'Penstock on Buf’s workload: 1 GiB/s, seven days',
    source: 'bufstream',
    description:
      'The assumptions of Buf’s bill for us: fan-out 1, three zones, 4x compression, one-year machines, GiB counted as the cloud’s GB.',
    fields: [
      ['throughput', '1'],
      ['throughputUnit', 'GiB/s'],
      ['fanout', '1'],
      ['retentionDays', '7'],
      ['peakToAverage', '1'],
      ['commitment', 'reserved'],
      ['monthHours', '720'],
      ['byteUnit', 'GiB'],
      ['rival', 'bufstream'],
    ],
    reproduces: [says('penstock', 'object-storage', '3498', '3496.78')],
  },
  {
    id: 'elastic-stream-500',
    title: 'Elastic Stream: 500 MB/s, one node against two',
    source: 'elastic-stream',
    description: 'Uncompressed appends without replication on is4gen.2xlarge; no costs are stated.',
    fields: [
      ['throughput', '500'],
      ['throughputUnit', 'MB/s'],
      ['compressionRatio', '1'],
      ['fanout', '0'],
      ['zones', '1'],
      ['replicationFactor', '1'],
      ['brokerMachine', 'is4gen.2xlarge'],
      ['pin.automq.brokers', '1'],
      ['pin.kafka-one-zone.brokers', '2'],
    ],
    reproduces: [counts('automq', 'brokers', '1'), counts('kafka-one-zone', 'brokers', '2')],
  },
  {
    id: 'elastic-stream-1000',
    title: 'Elastic Stream: 1,000 MB/s, one node against three or four',
    source: 'elastic-stream',
    description: 'Uncompressed appends without replication on is4gen.4xlarge; four Kafka nodes for 2,000 partitions.',
    fields: [
      ['throughput', '1000'],
      ['throughputUnit', 'MB/s'],
      ['compressionRatio', '1'],
      ['fanout', '0'],
      ['partitions', '2000'],
      ['zones', '1'],
      ['replicationFactor', '1'],
      ['brokerMachine', 'is4gen.4xlarge'],
      ['pin.automq.brokers', '1'],
      ['pin.kafka-one-zone.brokers', '4'],
    ],
    reproduces: [counts('automq', 'brokers', '1'), counts('kafka-one-zone', 'brokers', '4')],
  },
  {
    id: 'redpanda-500',
    title: 'Vanlightly: Kafka and Redpanda at 500 MB/s',
    source: 'vanlightly',
    description: 'Three i3en.6xlarge each, uncompressed, one reader.',
    fields: [
      ['throughput', '500'],
      ['compressionRatio', '1'],
      ['fanout', '1'],
      ['brokerMachine', 'i3en.6xlarge'],
      ['redpandaMachine', 'i3en.6xlarge'],
      ['pin.redpanda.nodes', '3'],
      ['pin.kafka-follower.brokers', '3'],
    ],
    reproduces: [counts('redpanda', 'nodes', '3'), counts('kafka-follower', 'brokers', '3')],
  },
  {
    id: 'redpanda-1000',
    title: 'Vanlightly: Kafka and Redpanda at 1,000 MB/s',
    source: 'vanlightly',
    description: 'Three i3en.6xlarge each: the machines cost the same, where Redpanda’s claim was 3 against 9.',
    fields: [
      ['throughput', '1000'],
      ['compressionRatio', '1'],
      ['fanout', '1'],
      ['brokerMachine', 'i3en.6xlarge'],
      ['redpandaMachine', 'i3en.6xlarge'],
      ['pin.redpanda.nodes', '3'],
      ['pin.kafka-follower.brokers', '3'],
    ],
    reproduces: [counts('redpanda', 'nodes', '3'), counts('kafka-follower', 'brokers', '3')],
  },
];

export function presetById(id: string): Preset | undefined {
  return PRESETS.find((preset) => preset.id === id);
}

/** The query of the preset's link, without `?`. */
export function presetQuery(preset: Preset): string {
  return encodeState(parseState(preset.fields).state);
}

/** The result of the preset for one of its figures: dollars to the cent, or a count. Null when there is nothing of that name. */
export function reproduce(estimate: Estimate, { system: id, what }: Reproduction): string | null {
  const system = estimate.systems.find((candidate) => candidate.id === id);
  if (system === undefined || !system.available) {
    return null;
  }
  if ('cell' in what) {
    return system.worksheet.value(what.cell).toFixed();
  }
  const lines = system.lines.filter((line) =>
    'line' in what ? line.id === what.line : line.component === what.component,
  );
  return lines.length === 0 ? null : sumUsd(lines.map((line) => line.amount)).toFixed(2);
}
