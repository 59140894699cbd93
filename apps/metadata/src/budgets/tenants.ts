// Who shares this process with whom. Every organization that pays has a share of its own; all others have one share together, so that many
// organizations of one person do not outweigh a customer.
import type { AgentIdentity } from '../auth/agent-keys.ts';
import { LruCache } from '../auth/lru-cache.ts';

/** The place of a cluster in the tree of shares: tenant, organization, cluster. Those below one node share what the node gets. */
export type Share = readonly [tenant: string, organizationId: string, clusterId: string];

/** The tenant that all organizations without a payment method are together. */
export const TRIAL = 'trial';

/** Clusters to remember, at about 300 bytes each. */
const MAX_CLUSTERS = 20_000;

export type TenantFacts = Pick<AgentIdentity, 'clusterId' | 'organizationId' | 'isPaying'>;

/** Also what shares budgets: the organization that pays, or all that do not. */
export function shareOf({ clusterId, organizationId, isPaying }: TenantFacts): Share {
  return [isPaying ? organizationId : TRIAL, organizationId, clusterId];
}

/** Remembers what the last call of each cluster said, for work that no call waits for. */
export class Tenants {
  readonly #shares = new LruCache<string, Share>(MAX_CLUSTERS);

  /** @returns its share; the same object while nothing changes */
  note(facts: TenantFacts): Share {
    const known = this.#shares.get(facts.clusterId);
    if (known !== undefined && (known[0] !== TRIAL) === facts.isPaying) {
      return known;
    }
    const share = shareOf(facts);
    this.#shares.set(facts.clusterId, share);
    return share;
  }

  /** @returns a share among those that do not pay when no call of the cluster has come yet */
  of({ clusterId, organizationId }: { clusterId: string; organizationId: string }): Share {
    return this.#shares.get(clusterId) ?? [TRIAL, organizationId, clusterId];
  }
}
