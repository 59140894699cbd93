// Stops in memory, for tests and simulation. They fulfil the same contract as those in PostgreSQL.
import type { ClusterFault, ClusterPast, ClusterStop, LostTail, Resolution, SparedFiles, Stops } from './stops.ts';
import { STATE_MACHINE } from './stops.ts';

interface StoredCluster {
  stops: number;
  stop: ClusterStop | undefined;
  history: number;
  spared: SparedFiles[];
}

export class MemoryStops implements Stops {
  readonly #clusters = new Map<string, StoredCluster>();
  readonly #nowMs: () => number;

  /** @param nowMs the store's clock, in milliseconds since the Unix epoch */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  async past(clusterId: string): Promise<ClusterPast> {
    const { stop, history, spared } = this.#stored(clusterId);
    return { stop, history, spared: [...spared] };
  }

  async among(clusterIds: readonly string[]): Promise<ClusterStop[]> {
    return clusterIds.flatMap((clusterId) => this.#stored(clusterId).stop ?? []);
  }

  async stop(clusterId: string, loss: LostTail): Promise<ClusterStop | undefined> {
    const stored = this.#stored(clusterId);
    if (stored.stop === undefined && loss.witnessed.history >= stored.history) {
      stored.stops += 1;
      stored.stop = { ...loss, clusterId, number: stored.stops, stoppedAtMs: this.#nowMs() };
    }
    return stored.stop;
  }

  async halt(clusterId: string, fault: ClusterFault): Promise<ClusterStop> {
    const stored = this.#stored(clusterId);
    if (stored.stop !== undefined) {
      return stored.stop;
    }
    stored.stops += 1;
    const { position } = fault;
    const stop = {
      clusterId,
      number: stored.stops,
      stoppedAtMs: this.#nowMs(),
      witness: STATE_MACHINE,
      witnessed: { history: stored.history, ...position },
      last: position,
      fault,
    };
    stored.stop = stop;
    return stop;
  }

  async resolve(stop: ClusterStop, resolution: Resolution): Promise<boolean> {
    const stored = this.#stored(stop.clusterId);
    if (stored.stop?.number !== stop.number) {
      return false;
    }
    stored.stop = undefined;
    if (resolution.kind === 'accepted') {
      stored.history += 1;
      stored.spared.push(resolution.spared);
    }
    return true;
  }

  #stored(clusterId: string): StoredCluster {
    let stored = this.#clusters.get(clusterId);
    if (stored === undefined) {
      stored = { stops: 0, stop: undefined, history: 0, spared: [] };
      this.#clusters.set(clusterId, stored);
    }
    return stored;
  }
}
