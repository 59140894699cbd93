// Sums readings by hour. Pure. Uses bigint, because a ledger must not round.
import { HOUR_MS } from '@penstock/units';
import type { MeterReading } from './meter-reading.ts';

export interface HourTotals {
  /** First millisecond of the hour, UTC. */
  hourMs: number;
  uncompressedBytes: bigint;
  storedBytes: bigint;
  records: bigint;
  files: bigint;
  /** Cluster minutes in all modes. */
  clusterMinutes: number;
  devMinutes: number;
  lowLatencyMinutes: number;
  /** The first and last journal entry that added to this sum. */
  firstSeq: bigint;
  lastSeq: bigint;
}

/** The first millisecond of the UTC hour that contains a time. */
export function hourOf(atMs: number): number {
  return Math.floor(atMs / HOUR_MS) * HOUR_MS;
}

export class HourlyTotals {
  readonly #hours = new Map<number, HourTotals>();

  /** An entry that adds nothing creates no row. */
  add(seq: bigint, reading: MeterReading): void {
    if (reading.files === 0 && reading.clusterMinutes === 0) {
      return;
    }
    const hourMs = hourOf(reading.atMs);
    const hour = this.#hours.get(hourMs) ?? {
      hourMs,
      uncompressedBytes: 0n,
      storedBytes: 0n,
      records: 0n,
      files: 0n,
      clusterMinutes: 0,
      devMinutes: 0,
      lowLatencyMinutes: 0,
      firstSeq: seq,
      lastSeq: seq,
    };
    hour.uncompressedBytes += BigInt(reading.uncompressedBytes);
    hour.storedBytes += BigInt(reading.storedBytes);
    hour.records += BigInt(reading.records);
    hour.files += BigInt(reading.files);
    hour.clusterMinutes += reading.clusterMinutes;
    hour.devMinutes += reading.devMinutes;
    hour.lowLatencyMinutes += reading.lowLatencyMinutes;
    hour.lastSeq = seq;
    this.#hours.set(hourMs, hour);
  }

  /** In the order of their first readings. */
  get hours(): HourTotals[] {
    return [...this.#hours.values()];
  }
}
