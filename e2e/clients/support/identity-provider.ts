// An identity provider for OAUTHBEARER: a key, the set in which it is published, and tokens that it signs.
import { generateKeyPairSync, sign } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

const ISSUER = 'https://issuer.example.com';
const AUDIENCE = 'kafka';
const LIFETIME_S = 600;

export interface IdentityProvider {
  /** The settings of an agent that takes its tokens. */
  agentEnv: Record<string, string>;
  /** The key set that it publishes. */
  keys: string;
  tokenFor(user: string, lifetimeS?: number): string;
}

/** Publishes a new key in the file. */
export async function startIdentityProvider(keysFile: string): Promise<IdentityProvider> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keys = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1', use: 'sig' }] });
  await writeFile(keysFile, keys);
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    agentEnv: {
      PENSTOCK_OAUTH_JWKS: `file://${keysFile}`,
      PENSTOCK_OAUTH_ISSUER: ISSUER,
      PENSTOCK_OAUTH_AUDIENCE: AUDIENCE,
    },
    keys,
    tokenFor: (user, lifetimeS = LIFETIME_S) => {
      const nowS = Math.floor(Date.now() / 1_000);
      const claims = { iss: ISSUER, aud: AUDIENCE, sub: user, iat: nowS, exp: nowS + lifetimeS, scope: 'kafka' };
      const message = `${part({ alg: 'ES256', kid: '1', typ: 'JWT' })}.${part(claims)}`;
      const signature = sign('sha256', Buffer.from(message), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `${message}.${signature.toString('base64url')}`;
    },
  };
}

export interface TokenEndpoint {
  url: string;
  /** Tokens issued so far. */
  issued(): number;
  stop(): Promise<void>;
}

/** Issues tokens to clients that know the secret, by the client credentials grant of RFC 6749. */
export async function startTokenEndpoint(provider: IdentityProvider, clientSecret: string): Promise<TokenEndpoint> {
  let issued = 0;
  const server = createServer((request, response) => {
    const [, encoded = ''] = (request.headers.authorization ?? '').split(' ');
    const [user = '', secret = ''] = Buffer.from(encoded, 'base64').toString().split(':').map(decodeURIComponent);
    const isRight = secret === clientSecret;
    issued += isRight ? 1 : 0;
    const answer = isRight
      ? { access_token: provider.tokenFor(user), token_type: 'Bearer', expires_in: LIFETIME_S }
      : { error: 'invalid_client' };
    response.writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  return { ...(await listen(server, 'http')), issued: () => issued };
}

export interface KeyServer {
  url: string;
  stop(): Promise<void>;
}

/** Publishes the keys over https. */
export async function startKeyServer(
  provider: IdentityProvider,
  { certificate, key }: { certificate: string; key: string },
): Promise<KeyServer> {
  const tls = { cert: await readFile(certificate), key: await readFile(key) };
  return listen(
    createTlsServer(tls, (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/jwk-set+json' }).end(provider.keys);
    }),
    'https',
  );
}

async function listen(server: Server, scheme: 'http' | 'https'): Promise<KeyServer> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${scheme}://127.0.0.1:${port}/`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
