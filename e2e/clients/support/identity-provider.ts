// An identity provider for OAUTHBEARER: a key, the set in which it is published, and tokens that it signs.
import { generateKeyPairSync, sign } from 'node:crypto';
import { writeFile } from 'node:fs/promises';

const ISSUER = 'https://issuer.example.com';
const AUDIENCE = 'kafka';
const LIFETIME_S = 600;

export interface IdentityProvider {
  /** The settings of an agent that takes its tokens. */
  agentEnv: Record<string, string>;
  tokenFor(user: string): string;
}

/** Publishes a new key in the file. */
export async function startIdentityProvider(keysFile: string): Promise<IdentityProvider> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await writeFile(
    keysFile,
    JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1', use: 'sig' }] }),
  );
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    agentEnv: {
      PENSTOCK_OAUTH_JWKS: `file://${keysFile}`,
      PENSTOCK_OAUTH_ISSUER: ISSUER,
      PENSTOCK_OAUTH_AUDIENCE: AUDIENCE,
    },
    tokenFor: (user) => {
      const nowS = Math.floor(Date.now() / 1_000);
      const claims = { iss: ISSUER, aud: AUDIENCE, sub: user, iat: nowS, exp: nowS + LIFETIME_S, scope: 'kafka' };
      const message = `${part({ alg: 'ES256', kid: '1', typ: 'JWT' })}.${part(claims)}`;
      const signature = sign('sha256', Buffer.from(message), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${message}.${signature.toString('base64url')}`;
    },
  };
}
