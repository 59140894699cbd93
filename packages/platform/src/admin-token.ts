// The tokens with which the web app and the worker call the metadata service's AdminService: JSON Web Tokens (RFC 7519, HS256) that are
// valid for one method, one cluster and one minute. They name their key, so that keys can be replaced one by one.
import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { errors, jwtVerify } from 'jose';
import type { RootSecret, RootSecrets } from './root-secrets.ts';

/** Separates these keys from others that may be derived from the same secret. */
const PURPOSE = 'penstock admin tokens v1';
const AUDIENCE = 'penstock-metadata-admin';
const ALGORITHM = 'HS256';
const KEY_BYTES = 32;
const LIFE_S = 60;
/** The clocks of both sides may differ by this much. */
const LEEWAY_S = 30;
const MAX_TOKEN_CHARACTERS = 2_048;

/** The purpose of a token. */
export interface AdminCall {
  /** The method's name in the contract, such as `GetClusterView`. */
  method: string;
  clusterId: string;
}

export type AdminTokenVerdict = { ok: true; clusterId: string } | { ok: false; reason: string };

/**
 * A token for one call, signed with the first key. The worker calls for every cluster every few seconds, and WebCrypto
 * would hand each signature to another thread.
 */
export function signAdminToken([key]: RootSecrets, { method, clusterId }: AdminCall, nowMs: number): string {
  const iat = Math.floor(nowMs / 1_000);
  const header = { alg: ALGORITHM, kid: String(key.id) };
  const claims = { method, clusterId, aud: AUDIENCE, iat, exp: iat + LIFE_S };
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${signed}.${createHmac('sha256', keyOf(key)).update(signed).digest('base64url')}`;
}

/** Checks a token for a call of this method. The caller compares the cluster with that of the request. */
export async function verifyAdminToken(
  keys: RootSecrets,
  token: string,
  method: string,
  nowMs: number,
): Promise<AdminTokenVerdict> {
  if (token.length > MAX_TOKEN_CHARACTERS) {
    return refused('the token is malformed');
  }
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => keyOf(named(keys, kid)), {
      algorithms: [ALGORITHM],
      audience: AUDIENCE,
      requiredClaims: ['exp'],
      maxTokenAge: LIFE_S,
      clockTolerance: LEEWAY_S,
      currentDate: new Date(nowMs),
    });
    const { method: allowed, clusterId } = payload;
    return allowed === method && typeof clusterId === 'string'
      ? { ok: true, clusterId }
      : refused('the token is for another call');
  } catch (error) {
    if (error instanceof errors.JOSEError) {
      return refused(reasonOf(error));
    }
    throw error;
  }
}

function refused(reason: string): AdminTokenVerdict {
  return { ok: false, reason };
}

function reasonOf(error: errors.JOSEError): string {
  return error instanceof errors.JWTExpired ||
    (error instanceof errors.JWTClaimValidationFailed && error.claim === 'iat')
    ? 'the token has expired, or the two sides read clocks that differ'
    : `the token is not valid: ${error.message}`;
}

function named(keys: RootSecrets, kid: string | undefined): RootSecret {
  const key = keys.find(({ id }) => String(id) === kid);
  if (key === undefined) {
    throw new errors.JOSEError('it is signed with a key that this process does not have');
  }
  return key;
}

const derivedKeys = new WeakMap<RootSecret, KeyObject>();

function keyOf(root: RootSecret): KeyObject {
  const known = derivedKeys.get(root);
  if (known !== undefined) {
    return known;
  }
  const key = createSecretKey(new Uint8Array(hkdfSync('sha256', root.secret, '', PURPOSE, KEY_BYTES)));
  derivedKeys.set(root, key);
  return key;
}
