// Commands that broke an invariant of the state machine. A caller sends its command again until it is answered; without this, each retry
// would make the next owner of the cluster step down as well.
import { createHash } from 'node:crypto';
import { type Command, encodeEntry } from '@penstock/metadata-core';

/** Beyond these the oldest are forgotten, so that a caller who finds a fault cannot fill the memory with it. */
const MAX_PER_CLUSTER = 64;
const MAX_CLUSTERS = 1_000;

/** Each process keeps its own and forgets it at its end, so that a mended build applies the commands. */
export class Quarantine {
  readonly #hashes = new Map<string, Set<string>>();
  #added = 0;

  /** Commands that were added since the process started. */
  get added(): number {
    return this.#added;
  }

  /** The hash of a command that broke an invariant of this cluster before. Undefined: it did not. Costs nothing while a cluster has none. */
  find(clusterId: string, command: Command): string | undefined {
    const held = this.#hashes.get(clusterId);
    if (held === undefined) {
      return undefined;
    }
    const hash = hashOf(command);
    return held.has(hash) ? hash : undefined;
  }

  /** Returns the command's hash, 64 hexadecimal digits. */
  add(clusterId: string, command: Command): string {
    const hash = hashOf(command);
    const held = this.#hashes.get(clusterId) ?? new Set();
    // At the end of the order of insertion, so that the oldest come first.
    this.#hashes.delete(clusterId);
    this.#hashes.set(clusterId, held);
    held.delete(hash);
    held.add(hash);
    dropOldest(held, MAX_PER_CLUSTER);
    dropOldest(this.#hashes, MAX_CLUSTERS);
    this.#added += 1;
    return hash;
  }
}

/** SHA-256, in hexadecimal digits. A retry has the same hash, since it has the same ids and a command holds no time. */
export function hashOf(command: Command): string {
  return createHash('sha256')
    .update(encodeEntry({ nowMs: 0, commands: [command] }))
    .digest('hex');
}

function dropOldest(held: Set<string> | Map<string, unknown>, most: number): void {
  for (const key of held.keys()) {
    if (held.size <= most) {
      return;
    }
    held.delete(key);
  }
}
