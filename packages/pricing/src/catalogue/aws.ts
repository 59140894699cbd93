// Amazon Web Services, us-east-1, US dollars. GB are 10^9 bytes.
import { flat, graduated } from './entry.ts';
import type { CatalogueEntry } from './types.ts';

const EC2 = {
  from: '2026-07-20',
  source: 'karpenter-provider-aws, generated EC2 on-demand prices',
  sourceDate: '2026-07-20',
  verified: true,
} as const;
const SECONDARY = {
  from: '2024-01-01',
  source: 'secondary copies of the EBS price page',
  sourceDate: 'undated',
  verified: false,
} as const;
const S3 = {
  from: '2024-01-01',
  source: 'Amazon S3 price page, stored copy',
  sourceDate: '2025-08-29',
  verified: true,
} as const;
const NAT = {
  from: '2026-02-24',
  source: 'cloudburn.io, “AWS NAT Gateway Pricing: Complete Guide with Calculator”; the same in several other guides',
  sourceDate: '2026-02-24',
  verified: false,
} as const;
const EXPRESS_2023 = {
  from: '2023-11-28',
  source: 'secondary reports of the launch prices of S3 Express One Zone',
  sourceDate: '2023-12',
  verified: false,
  note: 'Upload and retrieval were billed for the part of a request above 512 KB only.',
} as const;
const EXPRESS_2025 = {
  from: '2025-04-10',
  source: 'Amazon S3 FAQ, stored copy',
  sourceDate: '2025-04-10',
  verified: true,
  note: 'Upload and retrieval are billed for all bytes since this date.',
} as const;

function onDemand(machine: string, usd: string): CatalogueEntry {
  return flat(`aws.ec2.${machine}`, 'AWS', `EC2 ${machine}, on demand`, usd, 'hour', EC2);
}

export const AWS_ENTRIES: readonly CatalogueEntry[] = [
  onDemand('m6in.large', '0.13923'),
  onDemand('m6in.xlarge', '0.27846'),
  onDemand('m6in.2xlarge', '0.55692'),
  onDemand('m6in.4xlarge', '1.11384'),
  onDemand('m7g.large', '0.0816'),
  onDemand('m7g.xlarge', '0.1632'),
  onDemand('m8g.xlarge', '0.17952'),
  onDemand('m8gn.large', '0.1455'),
  onDemand('m8gn.xlarge', '0.291'),
  onDemand('m8gn.2xlarge', '0.582'),
  onDemand('r4.xlarge', '0.266'),
  onDemand('r6i.large', '0.126'),
  onDemand('c6in.xlarge', '0.2268'),
  onDemand('i3en.xlarge', '0.452'),
  onDemand('i3en.6xlarge', '2.712'),
  onDemand('is4gen.2xlarge', '1.1526'),
  onDemand('is4gen.4xlarge', '2.3052'),
  onDemand('im4gn.xlarge', '0.36379'),
  flat('aws.ec2.m6in.4xlarge.reserved', 'AWS', 'EC2 m6in.4xlarge, one year, no upfront', '0.7017', 'hour', {
    from: '2024-03-05',
    source: 'WarpStream, “Public Benchmarks and TCO Analysis”',
    sourceDate: '2024-03-05',
    verified: true,
    note: 'As the article uses it.',
  }),
  flat('aws.ec2.m7g.xlarge.reserved', 'AWS', 'EC2 m7g.xlarge, one year, no upfront', '0.108', 'hour', {
    from: '2025-04-18',
    source: 'WarpStream, “S3 Express One Zone Benchmark and Total Cost of Ownership”',
    sourceDate: '2025-04-18',
    verified: true,
    note: 'As the article uses it.',
  }),
  graduated(
    'aws.s3.storage',
    'AWS',
    'S3 Standard storage',
    [
      { upTo: '50000', usd: '0.023' },
      { upTo: '500000', usd: '0.022' },
      { upTo: null, usd: '0.021' },
    ],
    'GB-month',
    S3,
  ),
  flat('aws.s3.put', 'AWS', 'S3 Standard PUT', '0.005', '1,000 requests', S3),
  flat('aws.s3.get', 'AWS', 'S3 Standard GET', '0.0004', '1,000 requests', S3),
  flat('aws.express.storage', 'AWS', 'S3 Express One Zone storage', '0.16', 'GB-month', EXPRESS_2023),
  flat('aws.express.put', 'AWS', 'S3 Express One Zone PUT', '0.0025', '1,000 requests', EXPRESS_2023),
  flat('aws.express.get', 'AWS', 'S3 Express One Zone GET', '0.0002', '1,000 requests', EXPRESS_2023),
  flat('aws.express.upload', 'AWS', 'S3 Express One Zone upload', '0.008', 'GB', EXPRESS_2023),
  flat('aws.express.retrieval', 'AWS', 'S3 Express One Zone retrieval', '0.0015', 'GB', EXPRESS_2023),
  flat('aws.express.storage', 'AWS', 'S3 Express One Zone storage', '0.11', 'GB-month', EXPRESS_2025),
  flat('aws.express.put', 'AWS', 'S3 Express One Zone PUT', '0.00113', '1,000 requests', EXPRESS_2025),
  flat('aws.express.get', 'AWS', 'S3 Express One Zone GET', '0.00003', '1,000 requests', EXPRESS_2025),
  flat('aws.express.upload', 'AWS', 'S3 Express One Zone upload', '0.0032', 'GB', EXPRESS_2025),
  flat('aws.express.retrieval', 'AWS', 'S3 Express One Zone retrieval', '0.0006', 'GB', EXPRESS_2025),
  flat('aws.zone-transfer', 'AWS', 'Traffic between zones, both ends ($0.01 out, $0.01 in)', '0.02', 'GB', {
    from: '2024-01-01',
    source: 'EC2 data transfer prices; the same in all source articles',
    sourceDate: '2025-04-18',
    verified: true,
  }),
  flat('aws.nat.hour', 'AWS', 'NAT gateway', '0.045', 'hour', NAT),
  flat('aws.nat.data', 'AWS', 'NAT gateway, data processed, both ways', '0.045', 'GB', NAT),
  flat('aws.egress', 'AWS', 'Traffic to the internet, first 10 TB', '0.09', 'GB', {
    from: '2026-03-01',
    source: 'egresscost.com, “AWS NAT Gateway Costs”; the same in several other guides',
    sourceDate: '2026-03',
    verified: false,
  }),
  flat('aws.gp3.storage', 'AWS', 'EBS gp3 volume (3,000 IOPS and 125 MB/s included)', '0.08', 'GB-month', SECONDARY),
  flat('aws.gp3.throughput', 'AWS', 'EBS gp3 throughput above 125 MB/s', '0.04', 'MB/s-month', SECONDARY),
];
