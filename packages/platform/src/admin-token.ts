// The tokens with which the web app and the worker call the metadata service's AdminService: JSON Web Tokens (RFC 7519, HS256) that are
// valid for one method, one cluster and one minute. They name their key, so that keys can be replaced one by one.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { RootSecret, RootSecrets } from './root-secrets.ts';

/** Separates these keys from others that may be derived from the same secret. */
const PURPOSE = 'penstock admin tokens v1';
const AUDIENCE = 'penstock-metadata-admin';
const KEY_BYTES = 32;
const LIFE_S = 60;
/** Clocks of different machines may differ by this much. */
const LEEWAY_S = 30;
const MAX_TOKEN_CHARACTERS = 2_048;

/** What a token is for. */
export interface AdminCall {
  /** The method's name in the contract, such as `GetClusterView`. */
  method: string;
  clusterId: string;
}

interface Claims extends AdminCall {
  aud: string;
  iat: number;
  exp: number;
}

export type AdminTokenVerdict = { ok: true; clusterId: string } | { ok: false; reason: string };

/** A token for one call, signed with the first key. */
export function signAdminToken([key]: RootSecrets, { method, clusterId }: AdminCall, nowMs: number): string {
  const iat = Math.floor(nowMs / 1_000);
  const claims: Claims = { aud: AUDIENCE, method, clusterId, iat, exp: iat + LIFE_S };
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT', kid: String(key.id) })}.${encoded(claims)}`;
  return `${signed}.${signatureOf(key, signed).toString('base64url')}`;
}

/** Checks a token for a call of this method. The caller compares the cluster with that of the request. */
export function verifyAdminToken(keys: RootSecrets, token: string, method: string, nowMs: number): AdminTokenVerdict {
  const [head, body, signature, ...rest] = token.split('.');
  if (
    token.length > MAX_TOKEN_CHARACTERS ||
    head === undefined ||
    body === undefined ||
    signature === undefined ||
    rest.length > 0
  ) {
    return refused('the token is malformed');
  }
  const { alg, kid } = decoded(head);
  const key = keys.find(({ id }) => String(id) === kid);
  if (alg !== 'HS256' || key === undefined) {
    return refused('the token is signed with a key that this process does not have');
  }
  const expected = signatureOf(key, `${head}.${body}`);
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return refused('the signature of the token is wrong');
  }
  const { aud, method: allowed, clusterId, iat, exp } = decoded(body);
  if (typeof iat !== 'number' || typeof exp !== 'number' || typeof clusterId !== 'string' || exp - iat > LIFE_S) {
    return refused('the token is malformed');
  }
  const nowS = nowMs / 1_000;
  if (nowS > exp + LEEWAY_S || nowS < iat - LEEWAY_S) {
    return refused('the token has expired, or the clocks of the two machines differ');
  }
  if (aud !== AUDIENCE || allowed !== method) {
    return refused('the token is for another call');
  }
  return { ok: true, clusterId };
}

function refused(reason: string): AdminTokenVerdict {
  return { ok: false, reason };
}

function signatureOf({ secret }: RootSecret, signed: string): Buffer {
  const key = hkdfSync('sha256', secret, '', PURPOSE, KEY_BYTES);
  return createHmac('sha256', Buffer.from(key)).update(signed).digest();
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decoded(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
