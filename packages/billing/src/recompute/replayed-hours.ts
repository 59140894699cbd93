// Sums hours again, from journal entries, and from meter blocks where entries were cut.
import { MINUTE_MS } from '@penstock/units';
import { HourlyTotals, type HourTotals, hourOf } from '../metering/hourly-totals.ts';
import type { MeterBlock } from '../metering/meter-block.ts';
import type { MeterReading } from '../metering/meter-reading.ts';
import type { UsageHourReading } from '../rating/usage-hour-reading.ts';

/** Figures that only the entries contain; a block stores only what a bill needs. */
export type HourDetail = Pick<HourTotals, 'storedBytes' | 'records' | 'files' | 'firstSeq' | 'lastSeq'>;

export interface ReplayedHour extends UsageHourReading {
  /** Absent if a part of the hour comes only from blocks. */
  detail?: HourDetail;
}

export class ReplayedHours {
  readonly #clusterId: string;
  readonly #startMs: number;
  readonly #endMs: number;
  readonly #fromEntries = new HourlyTotals();
  readonly #fromBlocks = new Map<number, UsageHourReading>();

  /** @param range the hours to sum, end exclusive; others are ignored */
  constructor(clusterId: string, range: { startMs: number; endMs: number }) {
    this.#clusterId = clusterId;
    this.#startMs = range.startMs;
    this.#endMs = range.endMs;
  }

  addEntry(seq: bigint, reading: MeterReading): void {
    if (this.#isInRange(reading.atMs)) {
      this.#fromEntries.add(seq, reading);
    }
  }

  addBlock({ bytesPerMinute, aliveMinutes }: Pick<MeterBlock, 'bytesPerMinute' | 'aliveMinutes'>): void {
    for (const [minute, bytes] of Object.entries(bytesPerMinute)) {
      const hour = this.#hourOfMinute(minute);
      if (hour !== undefined) {
        hour.uncompressedBytes += BigInt(bytes);
      }
    }
    for (const [minute, modes] of Object.entries(aliveMinutes ?? {})) {
      const hour = this.#hourOfMinute(minute);
      if (hour === undefined) {
        continue;
      }
      hour.clusterMinutes += (modes.standard ?? 0) + (modes.dev ?? 0) + (modes['low-latency'] ?? 0);
      hour.devMinutes += modes.dev ?? 0;
      hour.lowLatencyMinutes += modes['low-latency'] ?? 0;
    }
  }

  /** The hours, ordered by time. */
  hours(): ReplayedHour[] {
    const hours = new Map<number, ReplayedHour>(this.#fromBlocks);
    for (const { storedBytes, records, files, firstSeq, lastSeq, ...totals } of this.#fromEntries.hours) {
      const before = hours.get(totals.hourMs);
      const detail = { storedBytes, records, files, firstSeq, lastSeq };
      hours.set(
        totals.hourMs,
        before === undefined
          ? { clusterId: this.#clusterId, ...totals, detail }
          : {
              ...before,
              uncompressedBytes: before.uncompressedBytes + totals.uncompressedBytes,
              clusterMinutes: before.clusterMinutes + totals.clusterMinutes,
              devMinutes: before.devMinutes + totals.devMinutes,
              lowLatencyMinutes: before.lowLatencyMinutes + totals.lowLatencyMinutes,
            },
      );
    }
    return [...hours.values()].sort((left, right) => left.hourMs - right.hourMs);
  }

  #isInRange(atMs: number): boolean {
    return atMs >= this.#startMs && atMs < this.#endMs;
  }

  #hourOfMinute(minute: string): UsageHourReading | undefined {
    const atMs = Number(minute) * MINUTE_MS;
    if (!this.#isInRange(atMs)) {
      return undefined;
    }
    const hourMs = hourOf(atMs);
    const hour = this.#fromBlocks.get(hourMs) ?? {
      clusterId: this.#clusterId,
      hourMs,
      uncompressedBytes: 0n,
      clusterMinutes: 0,
      devMinutes: 0,
      lowLatencyMinutes: 0,
    };
    this.#fromBlocks.set(hourMs, hour);
    return hour;
  }
}
