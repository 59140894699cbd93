// The last hour of one cluster's traffic, in points of ten seconds. Kept only in the owner's memory: after a failover the new owner starts
// an empty one, and the dashboard shows the gap.

export const POINT_SECONDS = 10;
const POINTS = 360;

export interface ThroughputPoint {
  startMs: number;
  inBytes: number;
  inUncompressedBytes: number;
  inRecords: number;
  outBytes: number;
}

export class ThroughputRing {
  readonly #points: ThroughputPoint[] = [];

  /** Adds to the point of this moment. If time goes back, adds to the newest point. */
  add(nowMs: number, traffic: Partial<Omit<ThroughputPoint, 'startMs'>>): void {
    const point = this.#at(nowMs);
    point.inBytes += traffic.inBytes ?? 0;
    point.inUncompressedBytes += traffic.inUncompressedBytes ?? 0;
    point.inRecords += traffic.inRecords ?? 0;
    point.outBytes += traffic.outBytes ?? 0;
  }

  /** Oldest first, without gaps: periods without traffic are zeros, up to `nowMs`. */
  points(nowMs: number): readonly ThroughputPoint[] {
    this.#at(nowMs);
    return this.#points;
  }

  #at(nowMs: number): ThroughputPoint {
    const stepMs = POINT_SECONDS * 1_000;
    const startMs = Math.floor(nowMs / stepMs) * stepMs;
    let newest = this.#points.at(-1);
    // After a long silence, only the last hour is filled with zeros.
    const firstMs = newest === undefined ? startMs : Math.max(newest.startMs + stepMs, startMs - POINTS * stepMs);
    for (let nextMs = firstMs; nextMs <= startMs; nextMs += stepMs) {
      newest = { startMs: nextMs, inBytes: 0, inUncompressedBytes: 0, inRecords: 0, outBytes: 0 };
      this.#points.push(newest);
    }
    if (this.#points.length > POINTS) {
      this.#points.splice(0, this.#points.length - POINTS);
    }
    if (newest === undefined) {
      throw new Error('a throughput ring always has a newest point here');
    }
    return newest;
  }
}
