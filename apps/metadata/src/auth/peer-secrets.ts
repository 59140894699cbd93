// The secrets with which the agents of a cluster authenticate each other on their internal listeners. They are derived, not stored, so
// every process of the service has the same ones. They rotate, so a secret expires unless the agent receives new ones.
import { hkdfSync } from 'node:crypto';
import type { RootSecrets } from '@penstock/platform';

/** Separates these secrets from others derived from the same token. */
const PURPOSE = 'penstock agents of one zone v1';
const SECRET_BYTES = 32;
/** How long one secret signs requests. Agents accept it for one period before and one after. */
export const PEER_SECRET_PERIOD_MS = 300_000;

export interface PeerSecret {
  /** Unique among the root secrets and periods. */
  id: bigint;
  secret: Uint8Array;
  signs: boolean;
}

/** How long after its period a secret still shows when a client signed in to an agent. */
export const SIGN_IN_AGE_MS = 3_600_000;

/** Ids of secrets of different root secrets differ: the id of the root secret is above the number of the period. */
const ROOT_SECRET_SHIFT = 40n;

/**
 * The signing secret of the current period and its two neighbors, then those of the other root secrets, which are accepted. Agents learn of
 * a new period a few seconds apart, so they must accept those too. An agent that receives no new secrets holds none that is accepted after
 * three periods.
 * @param secrets the root secrets that the processes of the service share
 * @param nowMs by the database's clock
 */
export function peerSecretsOf(secrets: RootSecrets, clusterId: string, nowMs: number): PeerSecret[] {
  const present = Math.floor(nowMs / PEER_SECRET_PERIOD_MS);
  return secrets.flatMap(({ id, secret }, at) =>
    [present - 1, present, present + 1].map((period) => ({
      id: (BigInt(id) << ROOT_SECRET_SHIFT) | BigInt(period),
      secret: secretOf(secret, clusterId, period),
      signs: at === 0 && period === present,
    })),
  );
}

/**
 * The secret with this id, if agents had it within {@link SIGN_IN_AGE_MS}: it shows that something that it signed is no older. Undefined for
 * any other id.
 */
export function recentPeerSecret(
  secrets: RootSecrets,
  clusterId: string,
  secretId: bigint,
  nowMs: number,
): Uint8Array | undefined {
  const root = secrets.find(({ id }) => BigInt(id) === secretId >> ROOT_SECRET_SHIFT);
  const period = Number(BigInt.asUintN(Number(ROOT_SECRET_SHIFT), secretId));
  const present = Math.floor(nowMs / PEER_SECRET_PERIOD_MS);
  const oldest = Math.floor((nowMs - SIGN_IN_AGE_MS) / PEER_SECRET_PERIOD_MS);
  return root === undefined || period < oldest || period > present + 1
    ? undefined
    : secretOf(root.secret, clusterId, period);
}

function secretOf(root: RootSecrets[number]['secret'], clusterId: string, period: number): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', root, clusterId, `${PURPOSE} ${period}`, SECRET_BYTES));
}
