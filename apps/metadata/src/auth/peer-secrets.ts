// The secrets by which the agents of a cluster know each other on their internal listeners. They are derived and stored nowhere, so every
// process of the service names the same ones; and they change with time, so what an agent was told dies when nobody tells it more.
import { hkdfSync } from 'node:crypto';

/** Keeps the secrets apart from what else is derived from the same token. */
const PURPOSE = 'penstock agents of one zone v1';
const SECRET_BYTES = 32;
/** How long requests are signed with one secret. It is accepted for one period before and one after. */
export const PEER_SECRET_PERIOD_MS = 300_000;

export interface PeerSecret {
  /** The number of its period since the Unix epoch. */
  id: bigint;
  secret: Uint8Array;
  signs: boolean;
}

/**
 * The secret of the present period, which signs, and its neighbours: agents hear of a new period at different times, some seconds apart.
 * An agent that is told no more holds nothing that is accepted after three periods.
 * @param internalToken the secret that the processes of the service share
 * @param nowMs by the database's clock
 */
export function peerSecretsOf(internalToken: string, clusterId: string, nowMs: number): PeerSecret[] {
  const present = Math.floor(nowMs / PEER_SECRET_PERIOD_MS);
  return [present - 1, present, present + 1].map((period) => ({
    id: BigInt(period),
    secret: new Uint8Array(hkdfSync('sha256', internalToken, clusterId, `${PURPOSE} ${period}`, SECRET_BYTES)),
    signs: period === present,
  }));
}
