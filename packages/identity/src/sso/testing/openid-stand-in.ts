// A small OpenID provider in the test process, with real keys and signatures. Tests can make its claims wrong.
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export const CLIENT_ID = 'penstock';
export const CLIENT_SECRET = 'a secret: with signs/that need+encoding';

/** Claims that replace the correct ones in the ID token. */
export interface Bend {
  claims?: Record<string, unknown>;
  issuer?: string;
  audience?: string;
  nonce?: string;
  /** Seconds from now. */
  expiresInS?: number;
  /** Signs with a key that the provider does not publish. */
  isForged?: boolean;
}

interface Grant {
  nonce: string;
  challenge: string;
  redirectUri: string;
  bend: Bend;
}

export interface OpenIdStandIn {
  readonly issuer: string;
  /** The requests that the provider received, by path. */
  readonly requests: string[];
  /** The user consents. Returns the URL to which the provider redirects the browser. */
  approve(authorizationUrl: string, claims: Record<string, unknown>, bend?: Bend): string;
  close(): Promise<void>;
}

export async function startOpenIdStandIn(): Promise<OpenIdStandIn> {
  const [keys, otherKeys] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
  const jwk: JWK = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const grants = new Map<string, Grant>();
  const requests: string[] = [];
  let issuer = '';

  async function answerToken(request: IncomingMessage): Promise<[number, unknown]> {
    const body = new URLSearchParams(await readBody(request));
    const basic = Buffer.from((request.headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
    const [id = '', secret = ''] = basic.split(':').map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
    const grant = grants.get(body.get('code') ?? '');
    grants.delete(body.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    if (id !== CLIENT_ID || secret !== CLIENT_SECRET) {
      return [401, { error: 'invalid_client' }];
    }
    if (grant?.challenge !== challenge || grant.redirectUri !== body.get('redirect_uri')) {
      return [400, { error: 'invalid_grant' }];
    }
    const idToken = await sign(grant, grant.bend.isForged === true ? otherKeys.privateKey : keys.privateKey);
    return [200, { access_token: randomUUID(), token_type: 'Bearer', expires_in: 60, id_token: idToken }];
  }

  function sign({ bend, nonce }: Grant, key: CryptoKey): Promise<string> {
    const nowS = Math.floor(Date.now() / 1_000);
    return new SignJWT({ nonce: bend.nonce ?? nonce, ...bend.claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(bend.issuer ?? issuer)
      .setAudience(bend.audience ?? CLIENT_ID)
      .setIssuedAt(nowS - 60)
      .setExpirationTime(nowS + (bend.expiresInS ?? 60))
      .sign(key);
  }

  async function answer(request: IncomingMessage): Promise<[number, unknown]> {
    const path = request.url ?? '';
    requests.push(path);
    if (path === '/.well-known/openid-configuration') {
      return [
        200,
        {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        },
      ];
    }
    if (path === '/keys') {
      return [200, { keys: [jwk] }];
    }
    return path === '/token' ? answerToken(request) : [404, { error: 'not_found' }];
  }

  const server: Server = createServer((request, response) => {
    void answer(request).then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    issuer,
    requests,
    approve(authorizationUrl, claims, bend = {}) {
      const asked = new URL(authorizationUrl).searchParams;
      const code = randomUUID();
      const redirectUri = asked.get('redirect_uri') ?? '';
      const [nonce, challenge] = [asked.get('nonce') ?? '', asked.get('code_challenge') ?? ''];
      grants.set(code, { nonce, challenge, redirectUri, bend: { ...bend, claims: { ...claims, ...bend.claims } } });
      return `${redirectUri}?${new URLSearchParams({ code, state: asked.get('state') ?? '' })}`;
    },
    close: () => new Promise((done) => server.close(() => done())),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
