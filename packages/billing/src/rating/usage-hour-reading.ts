// The input of rating: one hour of one cluster, as stored in the usage ledger.
import type { ClusterKind } from '@penstock/pricing';

export interface UsageHourReading {
  clusterId: string;
  /** First millisecond of the hour since the Unix epoch, UTC. */
  hourMs: number;
  /** Acknowledged bytes, before compression. */
  uncompressedBytes: bigint;
  /** Cluster minutes in all modes. */
  clusterMinutes: number;
  /** The part of them in mode dev. */
  devMinutes: number;
  /** The part of them in mode low-latency; the rest is standard. */
  lowLatencyMinutes: number;
}

/** The cluster-minutes of an hour by billing mode. */
export function minutesByMode(hour: UsageHourReading): [ClusterKind, number][] {
  return [
    ['dev', hour.devMinutes],
    ['standard', hour.clusterMinutes - hour.devMinutes - hour.lowLatencyMinutes],
    ['low-latency', hour.lowLatencyMinutes],
  ];
}
