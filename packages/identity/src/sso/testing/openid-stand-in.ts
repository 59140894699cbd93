// A small OpenID provider in the test process, with real keys and signatures. Tests can make its claims wrong.
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export const CLIENT_ID = 'penstock';
export const CLIENT_SECRET = 'a secret: with signs/that need+encoding';

/**
 * How a vendor's provider differs. Shapes as in their documentation: Entra ID has an issuer for each tenant, sends no
 * `email_verified`, and has its userinfo endpoint elsewhere; Okta issues thin ID tokens and has a scope for groups;
 * Google states the hosted domain.
 */
export type Vendor = 'plain' | 'entra' | 'okta' | 'google';

const TENANT = '72f988bf-86f1-41af-91ab-2d7cd011db47';

/** The claims of an ID token when the vendor's userinfo endpoint has the rest. */
const THIN_CLAIMS: ReadonlySet<string> = new Set(['sub', 'name']);

interface Shape {
  path: string;
  metadata: Record<string, unknown>;
  isThin: boolean;
}

const SHAPES: Readonly<Record<Vendor, Shape>> = {
  plain: { path: '', metadata: {}, isThin: false },
  entra: {
    path: `/${TENANT}/v2.0`,
    metadata: {
      token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      subject_types_supported: ['pairwise'],
      request_uri_parameter_supported: false,
    },
    isThin: false,
  },
  okta: {
    path: '',
    metadata: {
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      scopes_supported: ['openid', 'email', 'profile', 'address', 'phone', 'offline_access', 'groups'],
      authorization_response_iss_parameter_supported: false,
    },
    isThin: true,
  },
  google: {
    path: '',
    metadata: {
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      scopes_supported: ['openid', 'email', 'profile'],
      claims_supported: ['aud', 'email', 'email_verified', 'exp', 'hd', 'iat', 'iss', 'name', 'sub'],
    },
    isThin: false,
  },
};

/** Claims that replace the correct ones in the ID token. */
export interface Bend {
  claims?: Record<string, unknown>;
  issuer?: string;
  audience?: string;
  nonce?: string;
  /** Expiry in seconds from now. */
  expiresInS?: number;
  /** Signs with a key that the provider does not publish. */
  isForged?: boolean;
}

interface Grant {
  scopes: readonly string[];
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

export async function startOpenIdStandIn(vendor: Vendor = 'plain'): Promise<OpenIdStandIn> {
  const shape = SHAPES[vendor];
  const [keys, otherKeys] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
  const jwk: JWK = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const grants = new Map<string, Grant>();
  /** Responses of the userinfo endpoint, by access token. */
  const people = new Map<string, Record<string, unknown>>();
  const requests: string[] = [];
  let origin = '';
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
    const accessToken = randomUUID();
    people.set(accessToken, visibleClaims(grant));
    return [200, { access_token: accessToken, token_type: 'Bearer', expires_in: 60, id_token: idToken }];
  }

  /** Okta reports groups only for their scope. */
  function visibleClaims({ bend, scopes }: Grant): Record<string, unknown> {
    const { groups, ...claims } = bend.claims ?? {};
    const isHidden = groups === undefined || (vendor === 'okta' && !scopes.includes('groups'));
    return isHidden ? claims : { ...claims, groups };
  }

  function tokenClaims(grant: Grant): Record<string, unknown> {
    const all = Object.entries(visibleClaims(grant));
    return Object.fromEntries(shape.isThin ? all.filter(([name]) => THIN_CLAIMS.has(name)) : all);
  }

  function sign(grant: Grant, key: CryptoKey): Promise<string> {
    const { bend, nonce } = grant;
    const nowS = Math.floor(Date.now() / 1_000);
    return new SignJWT({ nonce: bend.nonce ?? nonce, ...tokenClaims(grant) })
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
    if (path === `${shape.path}/.well-known/openid-configuration`) {
      return [
        200,
        {
          issuer,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          jwks_uri: `${origin}/keys`,
          ...(vendor === 'plain' ? {} : { userinfo_endpoint: `${origin}/oidc/userinfo` }),
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          ...shape.metadata,
        },
      ];
    }
    if (path === '/keys') {
      return [200, { keys: [jwk] }];
    }
    if (path === '/oidc/userinfo') {
      const person = people.get((request.headers.authorization ?? '').replace(/^Bearer /, ''));
      return person === undefined ? [401, { error: 'invalid_token' }] : [200, person];
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
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  issuer = `${origin}${shape.path}`;

  return {
    issuer,
    requests,
    approve(authorizationUrl, claims, bend = {}) {
      const asked = new URL(authorizationUrl).searchParams;
      const code = randomUUID();
      const redirectUri = asked.get('redirect_uri') ?? '';
      const [nonce, challenge] = [asked.get('nonce') ?? '', asked.get('code_challenge') ?? ''];
      const scopes = (asked.get('scope') ?? '').split(' ');
      grants.set(code, {
        scopes,
        nonce,
        challenge,
        redirectUri,
        bend: { ...bend, claims: { ...claims, ...bend.claims } },
      });
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
