// Labels of the clouds that agents run in, and the form of their bucket URLs.

export const CLOUDS = [
  { value: 'aws', label: 'AWS', bucket: 's3://my-bucket', zone: 'us-east-1a', regionHint: 'us-east-1' },
  { value: 'gcp', label: 'Google Cloud', bucket: 'gs://my-bucket', zone: 'us-central1-a', regionHint: 'us-central1' },
  { value: 'azure', label: 'Azure', bucket: 'az://my-container', zone: 'eastus-1', regionHint: 'eastus' },
  {
    value: 'other',
    label: 'Other, or this machine',
    bucket: 'file:///tmp/penstock',
    zone: '',
    regionHint: 'local',
  },
] as const;

export type CloudValue = (typeof CLOUDS)[number]['value'];

export function isCloud(value: string): value is CloudValue {
  return CLOUDS.some((cloud) => cloud.value === value);
}

/** Where a cluster's agents run, e.g. `AWS, us-east-1`. Outside the known clouds, the region alone. */
export function locationText({ cloud, region }: { cloud: string; region: string }): string {
  return cloud === 'other' ? region : `${cloudOf(cloud).label}, ${region}`;
}

/** The properties of a cloud; for an unknown one, generic values. */
export function cloudOf(value: string): (typeof CLOUDS)[number] {
  return CLOUDS.find((cloud) => cloud.value === value) ?? CLOUDS[3];
}
