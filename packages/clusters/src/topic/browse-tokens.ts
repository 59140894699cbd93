// The tokens with which a person's browser asks an agent for records: signed here, checked there, stored nowhere.
import { sign } from 'node:crypto';
import { messageBrowserSigningKey } from '@penstock/platform';

/**
 * Whoever loses access keeps a token for so long at most (and the 30 s by which agents let clocks differ). Pages get the next one when
 * they ask for records; agents take up to five minutes, so that nothing there depends on this number.
 */
export const BROWSE_TOKEN_S = 30;

export interface BrowseTokenFacts {
  clusterId: string;
  topic: string;
  organizationId: string;
  /** Who asks. */
  actorId: string | null;
  issuedAt: Date;
}

export interface BrowseTokenSigner {
  /** A JSON Web Token (EdDSA) that opens one topic to pages of this control plane, for half a minute. */
  sign(facts: BrowseTokenFacts): string;
}

/**
 * @param internalToken the secret that the metadata service shares, which gives agents the public half of the key
 * @param webUrl whose pages may ask
 */
export function createBrowseTokenSigner(internalToken: string, webUrl: string): BrowseTokenSigner {
  const { origin } = new URL(webUrl);
  return {
    sign({ clusterId, topic, organizationId, actorId, issuedAt }) {
      const iat = Math.floor(issuedAt.getTime() / 1_000);
      const claims = {
        aud: 'message-browser',
        cluster: clusterId,
        topic,
        origin,
        iat,
        exp: iat + BROWSE_TOKEN_S,
        org: organizationId,
        ...(actorId === null ? {} : { sub: actorId }),
      };
      const signed = `${part({ alg: 'EdDSA', typ: 'JWT' })}.${part(claims)}`;
      const signature = sign(null, Buffer.from(signed), messageBrowserSigningKey(internalToken, clusterId));
      return `${signed}.${signature.toString('base64url')}`;
    },
  };
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
