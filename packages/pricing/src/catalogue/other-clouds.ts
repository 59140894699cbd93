// Google Cloud (us-central1) and Azure (East US), US dollars.
import { flat } from './entry.ts';
import type { CatalogueEntry } from './types.ts';

const GCS = {
  from: '2024-01-01',
  source: 'Cloud Storage price page, stored copies',
  sourceDate: '2025',
  verified: true,
} as const;
const GCE = {
  from: '2024-01-01',
  source: 'secondary copies of Compute Engine prices',
  sourceDate: 'undated',
  verified: false,
} as const;
const GUESS = {
  from: '2024-01-01',
  source: 'no source found; placeholder value, replace it with your own price',
  sourceDate: 'undated',
  verified: false,
} as const;

const NOT_COUNTED = {
  from: '2024-01-01',
  source: 'no price that we could verify, so it is not counted; set your own',
  sourceDate: 'undated',
  verified: false,
} as const;
const AZURE_NAT = {
  from: '2024-01-01',
  source: 'c3x.dev, “azurerm_nat_gateway cost estimation”',
  sourceDate: 'undated',
  verified: false,
} as const;

export const OTHER_CLOUD_ENTRIES: readonly CatalogueEntry[] = [
  flat('gcp.gce.n2-standard-2', 'Google Cloud', 'n2-standard-2, on demand', '0.0971', 'hour', GCE),
  flat('gcp.gce.n2-standard-4', 'Google Cloud', 'n2-standard-4, on demand', '0.1942', 'hour', GCE),
  flat('gcp.gce.n2d-standard-4', 'Google Cloud', 'n2d-standard-4, on demand', '0.1690', 'hour', GCE),
  flat('gcp.gcs.storage', 'Google Cloud', 'Cloud Storage Standard', '0.020', 'GB-month', GCS),
  flat('gcp.gcs.put', 'Google Cloud', 'Cloud Storage class A operations', '0.005', '1,000 requests', GCS),
  flat('gcp.gcs.get', 'Google Cloud', 'Cloud Storage class B operations', '0.0004', '1,000 requests', GCS),
  flat('gcp.disk.storage', 'Google Cloud', 'Balanced persistent disk', '0.10', 'GB-month', GUESS),
  flat(
    'gcp.disk.throughput',
    'Google Cloud',
    'Balanced persistent disk throughput (part of its size)',
    '0',
    'MB/s-month',
    GUESS,
  ),
  flat('gcp.zone-transfer', 'Google Cloud', 'Traffic between zones', '0.01', 'GiB', {
    from: '2024-01-01',
    source: 'several copies of the network price page',
    sourceDate: '2025',
    verified: true,
    note: 'Billed once per GiB, not at both ends.',
  }),
  flat('gcp.nat.hour', 'Google Cloud', 'Cloud NAT', '0', 'hour', NOT_COUNTED),
  flat('gcp.nat.data', 'Google Cloud', 'Cloud NAT, data processed', '0', 'GB', NOT_COUNTED),
  flat('gcp.egress', 'Google Cloud', 'Traffic to the internet', '0', 'GB', NOT_COUNTED),
  flat('azure.vm.d4s-v5', 'Azure', 'D4s v5, on demand', '0.192', 'hour', GUESS),
  flat('azure.blob.storage', 'Azure', 'Blob storage, hot', '0.018', 'GB-month', {
    from: '2024-01-01',
    source: 'secondary copies of the Blob price page',
    sourceDate: 'undated',
    verified: false,
  }),
  flat('azure.blob.put', 'Azure', 'Blob write operations', '0.0055', '1,000 requests', GUESS),
  flat('azure.blob.get', 'Azure', 'Blob read operations', '0.00044', '1,000 requests', GUESS),
  flat('azure.disk.storage', 'Azure', 'Premium SSD v2', '0.081', 'GB-month', GUESS),
  flat('azure.disk.throughput', 'Azure', 'Premium SSD v2 throughput above 125 MB/s', '0.041', 'MB/s-month', GUESS),
  flat('azure.nat.hour', 'Azure', 'NAT gateway', '0.045', 'hour', AZURE_NAT),
  flat('azure.nat.data', 'Azure', 'NAT gateway, data processed', '0.045', 'GB', AZURE_NAT),
  flat('azure.egress', 'Azure', 'Traffic to the internet', '0', 'GB', NOT_COUNTED),
  flat('azure.zone-transfer', 'Azure', 'Traffic between zones', '0', 'GB', {
    from: '2024-05-01',
    source: 'Azure announcement that traffic between availability zones stays free',
    sourceDate: '2024-05',
    verified: true,
  }),
];
