// What rating takes: one hour of one cluster, as the usage ledger has it.
import type { ClusterKind } from '@penstock/pricing';

export interface UsageHourReading {
  clusterId: string;
  /** First millisecond of the hour since the Unix epoch, UTC. */
  hourMs: number;
  /** Acknowledged, as it would be without compression. */
  uncompressedBytes: bigint;
  /** Of all modes. */
  clusterMinutes: number;
  /** Of these, in mode dev. */
  devMinutes: number;
  /** Of these, in mode low-latency; the rest is standard. */
  lowLatencyMinutes: number;
}

/** The cluster-minutes of an hour by what they cost. */
export function minutesByMode(hour: UsageHourReading): [ClusterKind, number][] {
  return [
    ['dev', hour.devMinutes],
    ['standard', hour.clusterMinutes - hour.devMinutes - hour.lowLatencyMinutes],
    ['low-latency', hour.lowLatencyMinutes],
  ];
}
