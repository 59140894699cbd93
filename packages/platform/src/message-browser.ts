// What the control plane and the metadata service agree on about the agents' message browsers: the key pair that vouches for tokens, and
// which addresses agents may advertise.
import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';

/** Keeps the keys apart from whatever else may one day be derived from the same secret. */
const PURPOSE = 'penstock message browser tokens v1';
const SEED_BYTES = 32;
/** The head of an Ed25519 private key in PKCS #8 (RFC 8410, section 7); the seed follows. */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The key that signs tokens for one cluster. It is derived (HKDF, RFC 5869) and stored nowhere: it changes when the secret does, and a
 * token of one cluster is worth nothing at another's agents.
 * @param internalToken the secret that the web app and the metadata service share
 */
export function messageBrowserSigningKey(internalToken: string, clusterId: string): KeyObject {
  const seed = hkdfSync('sha256', internalToken, clusterId, PURPOSE, SEED_BYTES);
  return createPrivateKey({ key: Buffer.concat([pkcs8Head, Buffer.from(seed)]), format: 'der', type: 'pkcs8' });
}

/** The public half of {@link messageBrowserSigningKey}: the 32 bytes that agents get. */
export function messageBrowserPublicKey(internalToken: string, clusterId: string): Uint8Array {
  const publicKey = createPublicKey(messageBrowserSigningKey(internalToken, clusterId));
  // In SPKI form the key's bytes are the last ones.
  return new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-SEED_BYTES));
}

const LONGEST_URL_CHARACTERS = 300;
/** A scheme, a name or an IPv4 address, and perhaps a port. Nothing in it can end a directive of a content security policy. */
const plainOrigin = /^https?:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/;

/**
 * The origin at which browsers reach an agent's message browser, as it goes into the pages' content security policy; null for whatever
 * is not exactly an http or https origin. An agent chooses this text, so nothing else may get through.
 */
export function messageBrowserOrigin(text: string): string | null {
  if (text.length > LONGEST_URL_CHARACTERS || !URL.canParse(text)) {
    return null;
  }
  const { origin, href } = new URL(text);
  return href === `${origin}/` && plainOrigin.test(origin) ? origin : null;
}
