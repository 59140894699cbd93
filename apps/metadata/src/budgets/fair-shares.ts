// Which item is next when tenants, their organizations and their clusters are to get equal time at each of these levels, whatever their items
// cost (fair queueing by virtual time). One that comes back after a pause has not saved time up.
// https://dl.acm.org/doi/10.1145/75246.75248
import type { Share } from './tenants.ts';

/** How many items may wait below one node of each level. */
export type WaitingLimits = readonly [tenant: number, organization: number, cluster: number];

/** Maximum number of idle nodes to keep besides waiting ones, so that their usage is not forgotten immediately. */
const MAX_IDLE = 1_000;

class Node<Item> {
  readonly children = new Map<string, Node<Item>>();
  /** The children in which something waits. */
  readonly waiting = new Map<string, Node<Item>>();
  /** Virtual time used, in milliseconds, relative to that of its siblings. */
  usedMs = 0;
  /** The virtual time of the last turn among its children. */
  floorMs = 0;
  /** The items of a cluster, oldest first. */
  readonly items: Item[] = [];
  /** Items here and below. */
  count = 0;

  child(key: string): Node<Item> {
    let child = this.children.get(key);
    if (child === undefined) {
      child = new Node();
      child.usedMs = this.floorMs;
      this.children.set(key, child);
    }
    return child;
  }

  forgetIdle(): void {
    if (this.children.size <= this.waiting.size + MAX_IDLE) {
      return;
    }
    for (const [key, { count, usedMs }] of this.children) {
      if (count === 0 && usedMs <= this.floorMs) {
        this.children.delete(key);
      }
    }
  }
}

export class FairShares<Item> {
  readonly #limits: WaitingLimits;
  #root = new Node<Item>();

  constructor(limits: WaitingLimits) {
    this.#limits = limits;
  }

  /** How many items wait. */
  get size(): number {
    return this.#root.count;
  }

  /** @returns false, and takes nothing, when too many items of the cluster, its organization or its tenant wait */
  push(share: Share, item: Item): boolean {
    const path = this.#path(share);
    if (path.some(({ count }, level) => count >= (this.#limits[level] ?? 0))) {
      return false;
    }
    let parent = this.#root;
    parent.count += 1;
    for (const [level, node] of path.entries()) {
      if (node.count === 0) {
        node.usedMs = Math.max(node.usedMs, parent.floorMs);
        parent.waiting.set(share[level] ?? '', node);
      }
      node.count += 1;
      parent = node;
    }
    parent.items.push(item);
    return true;
  }

  /** Removes the oldest item of the cluster whose turn it is: at each level, that which has used the least. */
  next(): { share: Share; item: Item } | undefined {
    const tenant = least(this.#root);
    const organization = tenant === undefined ? undefined : least(tenant.node);
    const cluster = organization === undefined ? undefined : least(organization.node);
    const item = cluster?.node.items.shift();
    if (tenant === undefined || organization === undefined || cluster === undefined || item === undefined) {
      return undefined;
    }
    this.#root.count -= 1;
    let parent = this.#root;
    for (const { key, node } of [tenant, organization, cluster]) {
      parent.floorMs = node.usedMs;
      node.count -= 1;
      if (node.count === 0) {
        parent.waiting.delete(key);
        parent.forgetIdle();
      }
      parent = node;
    }
    return { share: [tenant.key, organization.key, cluster.key], item };
  }

  /** Adds to what the cluster, its organization and its tenant have used. */
  charge(share: Share, usedMs: number): void {
    for (const node of this.#path(share)) {
      node.usedMs += usedMs;
    }
  }

  /** Forgets what was used. Call it when nothing waits. */
  reset(): void {
    this.#root = new Node();
  }

  #path(share: Share): Node<Item>[] {
    let node = this.#root;
    return share.map((key) => {
      node = node.child(key);
      return node;
    });
  }
}

function least<Item>({ waiting }: Node<Item>): { key: string; node: Node<Item> } | undefined {
  let found: { key: string; node: Node<Item> } | undefined;
  for (const [key, node] of waiting) {
    if (found === undefined || node.usedMs < found.node.usedMs) {
      found = { key, node };
    }
  }
  return found;
}
