// A failover of PostgreSQL to a lagging replica: entries that were durable are lost. There is always a witness of one of them: the owner
// whose next append follows it, or an agent that heard of it. The cluster must then stop, and nothing that the lost entries named may be
// deleted.
import { decodeEntry } from '@penstock/metadata-core';
import { CallFailed } from './agents/metadata-client.ts';
import { mustHold } from './auditor/audit-failure.ts';
import type { LostTailWatch } from './lost-tail.types.ts';
import { CLUSTER, type World } from './world.ts';

const MOST_LOST_ENTRIES = 12;
/** A file that a lost entry committed this shortly before cannot have been replaced and deleted within the same history. */
const SURELY_LIVE_MS = 50_000;
/** An append in flight when the cluster was stopped arrives within this time, and so do answers. */
const LAST_APPEND_MS = 60_000;

export class LostTail implements LostTailWatch {
  readonly #world: World;
  /** Objects that lost entries named. */
  readonly #files: ReadonlySet<string>;

  private constructor(world: World, files: ReadonlySet<string>) {
    this.#world = world;
    this.#files = files;
  }

  /** Loses the newest entries, if a live process or agent knows one of them. Undefined: there is no witness, and nothing happened. */
  static strike(world: World): LostTail | undefined {
    const { random, scheduler, database, agents, trace } = world;
    const { recent } = database;
    const kept = recent.at(-2 - random.below(MOST_LOST_ENTRIES));
    if (kept === undefined || !agents.some(({ client }) => (client.witnessed?.seq ?? 0) > kept.seq)) {
      return undefined;
    }
    const lost = recent.filter(({ seq }) => seq > kept.seq);
    const files = new Set(lost.flatMap(({ bytes }) => filesNamedIn(bytes, scheduler.nowMs - SURELY_LIVE_MS)));
    database.loseTail(CLUSTER.clusterId, kept.seq, random.chance(0.5));
    trace.add(`${lost.length} entries are lost, ${kept.seq} is the last`);
    return new LostTail(world, files);
  }

  hasNamed(name: string): boolean {
    return this.#files.has(name);
  }

  async appended(seq: number, bytes: Uint8Array): Promise<void> {
    const { stop } = await this.#world.database.stops.past(CLUSTER.clusterId);
    mustHold(stop === undefined || decodeEntry(bytes).nowMs < stop.stoppedAtMs + LAST_APPEND_MS, () => {
      return `entry ${seq} was appended although the cluster is stopped`;
    });
  }

  async audit(): Promise<void> {
    const { stop } = await this.#world.database.stops.past(CLUSTER.clusterId);
    mustHold(stop !== undefined, () => 'acknowledged entries are lost, and nobody noticed');
    for (const { agentId, client } of this.#world.agents) {
      const answer = await client.call('describeCluster', {}).catch((error: unknown) => {
        if (error instanceof CallFailed && error.isRetriable) {
          return undefined;
        }
        throw error;
      });
      mustHold(answer === undefined, () => `${agentId} got an answer from a cluster that lost what it acknowledged`);
    }
  }
}

function filesNamedIn(bytes: Uint8Array, sinceMs: number): string[] {
  const { nowMs, commands } = decodeEntry(bytes);
  return nowMs < sinceMs
    ? []
    : commands.flatMap((command) =>
        command.kind === 'commit-file' || command.kind === 'replace-runs'
          ? [Buffer.from(command.fileId).toString('hex')]
          : [],
      );
}
