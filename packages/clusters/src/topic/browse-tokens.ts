// The tokens with which a user's browser requests records from an agent: signed here, verified there, stored nowhere.
import { sign } from 'node:crypto';
import { messageBrowserSigningKey, type RootSecrets } from '@penstock/platform';

/**
 * Bounds how long a user who loses access keeps a token (plus the 30 s of clock skew that agents allow). Pages get a
 * new token when they request records. Agents accept up to five minutes, so they do not depend on this number.
 */
export const BROWSE_TOKEN_S = 30;

export interface BrowseTokenFacts {
  clusterId: string;
  topic: string;
  /** The agents that the token is for: all that share one address. */
  agentIds: readonly string[];
  organizationId: string;
  /** The user that the token is for. */
  actorId: string | null;
  issuedAt: Date;
}

export interface BrowseTokenSigner {
  /** A JSON Web Token (EdDSA) that lets pages of this control plane read one topic from these agents for half a minute. */
  sign(facts: BrowseTokenFacts): string;
}

/**
 * Signs with the first of the secrets shared with the metadata service, which gives agents the public keys.
 * @param webUrl the origin whose pages may use the token
 */
export function createBrowseTokenSigner([{ secret }]: RootSecrets, webUrl: string): BrowseTokenSigner {
  const { origin } = new URL(webUrl);
  return {
    sign({ clusterId, topic, agentIds, organizationId, actorId, issuedAt }) {
      const iat = Math.floor(issuedAt.getTime() / 1_000);
      const claims = {
        aud: 'message-browser',
        cluster: clusterId,
        topic,
        agents: agentIds,
        origin,
        iat,
        exp: iat + BROWSE_TOKEN_S,
        org: organizationId,
        ...(actorId === null ? {} : { sub: actorId }),
      };
      const signed = `${part({ alg: 'EdDSA', typ: 'JWT' })}.${part(claims)}`;
      const signature = sign(null, Buffer.from(signed), messageBrowserSigningKey(secret, clusterId));
      return `${signed}.${signature.toString('base64url')}`;
    },
  };
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
