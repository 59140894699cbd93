// Streaming services of other vendors. Our own prices are in the price book.
import { flat, graduated } from './entry.ts';
import type { CatalogueEntry } from './types.ts';

const MSK = {
  from: '2026-08-20',
  source: 'AWS agent toolkit, msk_sizing.py',
  sourceDate: '2026-08-20',
  verified: true,
} as const;
const WARP_2024 = {
  from: '2024-03-05',
  source: 'WarpStream, “Public Benchmarks and TCO Analysis”',
  sourceDate: '2024-03-05',
  verified: true,
  note: 'The article states $7,541 a month at 1 GiB/s. Its price list isn’t published, so we use $7,541 divided by 2,592,000 GiB.',
} as const;
const WARP_2026 = {
  from: '2026-06-13',
  source: 'third-party copy of the WarpStream price page',
  sourceDate: '2026-06-13',
  verified: false,
} as const;

const MSK_M5 = {
  large: '0.21',
  xlarge: '0.42',
  '2xlarge': '0.84',
  '4xlarge': '1.68',
  '8xlarge': '3.36',
  '12xlarge': '5.04',
  '16xlarge': '6.72',
  '24xlarge': '10.08',
};
const MSK_M7G = {
  large: '0.204',
  xlarge: '0.408',
  '2xlarge': '0.816',
  '4xlarge': '1.632',
  '8xlarge': '3.264',
  '12xlarge': '4.896',
  '16xlarge': '6.528',
};

function mskBrokers(family: string, sizes: Readonly<Record<string, string>>): CatalogueEntry[] {
  return Object.entries(sizes).map(([size, usd]) =>
    flat(`msk.${family}.${size}`, 'Amazon MSK', `MSK broker ${family}.${size}`, usd, 'hour', MSK),
  );
}
const MSK_SERVERLESS = {
  from: '2022-10-03',
  source: 'gist.github.com/EverettBerry, a table of MSK Serverless prices; the same in other secondary copies',
  sourceDate: '2022-10-03',
  verified: false,
} as const;
const REDPANDA_SERVERLESS = {
  from: '2024-01-01',
  source: 'secondary copies; what is billed: docs.redpanda.com, “Billing and Support”',
  sourceDate: 'undated',
  verified: false,
} as const;

/** A price of which only secondary copies were found, if any. Some of these services have no model: they are listed for a comparison by hand. */
function secondary(
  item: string,
  label: string,
  usd: string,
  unit: CatalogueEntry['unit'],
  source: string,
): CatalogueEntry {
  return flat(item, 'Reference', label, usd, unit, {
    from: '2024-01-01',
    source,
    sourceDate: 'undated',
    verified: false,
  });
}

export const SERVICE_ENTRIES: readonly CatalogueEntry[] = [
  ...mskBrokers('m5', MSK_M5),
  ...mskBrokers('m7g', MSK_M7G),
  flat('msk.storage', 'Amazon MSK', 'MSK broker storage', '0.10', 'GB-month', MSK),
  flat('msk.throughput', 'Amazon MSK', 'MSK provisioned storage throughput', '0.08', 'MB/s-month', MSK),
  flat('warpstream.cluster', 'WarpStream', 'Cluster fee (none is stated in 2024)', '0', '15 minutes', WARP_2024),
  flat('warpstream.write', 'WarpStream', 'Writes, uncompressed', '0.00290933641975', 'GiB', WARP_2024),
  flat('warpstream.storage', 'WarpStream', 'Storage fee (none is stated in 2024)', '0', 'GiB-month', WARP_2024),
  flat('warpstream.cluster', 'WarpStream', 'Cluster fee, Fundamentals', '0.1725', '15 minutes', WARP_2026),
  flat('warpstream.cluster-dev', 'WarpStream', 'Cluster fee, Dev', '0.0345', '15 minutes', WARP_2026),
  flat('warpstream.cluster-pro', 'WarpStream', 'Cluster fee, Pro', '0.52083', '15 minutes', WARP_2026),
  graduated(
    'warpstream.write',
    'WarpStream',
    'Writes, uncompressed',
    [
      { upTo: '51200', usd: '0.01' },
      { upTo: '307200', usd: '0.0075' },
      { upTo: '1587200', usd: '0.0055' },
      { upTo: '7987200', usd: '0.004' },
      { upTo: null, usd: '0.003' },
    ],
    'GiB',
    WARP_2026,
  ),
  graduated(
    'warpstream.storage',
    'WarpStream',
    'Storage, uncompressed',
    [
      { upTo: '51200', usd: '0.01' },
      { upTo: '307200', usd: '0.0085' },
      { upTo: '819200', usd: '0.0075' },
      { upTo: '1843200', usd: '0.006' },
      { upTo: null, usd: '0.004' },
    ],
    'GiB-month',
    WARP_2026,
  ),
  flat('bufstream.write', 'Bufstream', 'Writes, uncompressed', '0.002', 'GiB', {
    from: '2024-07-01',
    source: 'Buf, “Benchmarks and cost”',
    sourceDate: '2024',
    verified: true,
  }),
  flat('msk-express.m7g.large', 'Amazon MSK', 'MSK Express broker m7g.large', '0.408', 'hour', MSK),
  flat('msk-express.data-in', 'Amazon MSK', 'MSK Express brokers, data in', '0.01', 'GB', MSK),
  flat('msk-serverless.partition', 'Reference', 'MSK Serverless, partition', '0.0015', 'hour', MSK_SERVERLESS),
  flat('msk-serverless.storage', 'Reference', 'MSK Serverless, storage', '0.10', 'GB-month', MSK_SERVERLESS),
  flat(
    'redpanda-serverless.partition',
    'Reference',
    'Redpanda Serverless, partition',
    '0.0015',
    'hour',
    REDPANDA_SERVERLESS,
  ),
  secondary('msk-serverless.hour', 'MSK Serverless, cluster', '0.75', 'hour', 'secondary copies'),
  secondary('msk-serverless.in', 'MSK Serverless, data in', '0.10', 'GB', 'secondary copies'),
  secondary('msk-serverless.out', 'MSK Serverless, data out', '0.05', 'GB', 'secondary copies'),
  // The price of `msk-express.data-in` before its source was known. Entries are never removed.
  secondary(
    'msk-express.in',
    'MSK Express brokers, data in (brokers cost twice the m7g price)',
    '0.01',
    'GB',
    'msk_sizing.py, 2026-08-20',
  ),
  secondary('freight.ecku', 'Confluent Freight, eCKU (at least 2)', '2.25', 'hour', 'no copy found'),
  secondary('freight.storage', 'Confluent Freight, storage', '0.03', 'GB-month', 'no copy found'),
  secondary('redpanda-serverless.hour', 'Redpanda Serverless, cluster', '0.10', 'hour', 'secondary copies'),
  secondary('redpanda-serverless.in', 'Redpanda Serverless, data in', '0.045', 'GB', 'secondary copies'),
  secondary('redpanda-serverless.out', 'Redpanda Serverless, data out', '0.04', 'GB', 'secondary copies'),
  secondary('redpanda-serverless.storage', 'Redpanda Serverless, storage', '0.09', 'GB-month', 'secondary copies'),
  secondary('kinesis.stream', 'Kinesis on demand, stream', '0.04', 'hour', 'secondary copies'),
  secondary('kinesis.in', 'Kinesis on demand, data in', '0.08', 'GB', 'secondary copies'),
  secondary('kinesis.out', 'Kinesis on demand, data out', '0.04', 'GB', 'secondary copies'),
];
