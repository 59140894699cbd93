// What the control plane and the metadata service share about the agents' message browsers: the key pair for tokens,
// and which addresses agents may advertise.
import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';

/** Separates these keys from any others that may be derived from the same secret. */
const PURPOSE = 'penstock message browser tokens v1';
const SEED_BYTES = 32;
/** The header of an Ed25519 private key in PKCS #8 (RFC 8410, section 7). The seed follows it. */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The key that signs tokens for one cluster. It is derived (HKDF, RFC 5869) and stored nowhere. It changes when the
 * secret does, and the agents of one cluster reject the tokens of another.
 * @param secret a root secret that the web app and the metadata service share
 */
export function messageBrowserSigningKey(secret: string, clusterId: string): KeyObject {
  const seed = hkdfSync('sha256', secret, clusterId, PURPOSE, SEED_BYTES);
  return createPrivateKey({ key: Buffer.concat([pkcs8Head, Buffer.from(seed)]), format: 'der', type: 'pkcs8' });
}

/** The public half of {@link messageBrowserSigningKey}: the 32 bytes that agents receive. */
export function messageBrowserPublicKey(secret: string, clusterId: string): Uint8Array {
  const publicKey = createPublicKey(messageBrowserSigningKey(secret, clusterId));
  // In SPKI form, the key is the last bytes.
  return new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-SEED_BYTES));
}

const LONGEST_URL_CHARACTERS = 300;
/**
 * A scheme, a host name or IPv4 address, and an optional port. It cannot contain a character that ends a directive of a
 * content security policy.
 */
const plainOrigin = /^https?:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/;

/**
 * The origin at which browsers reach an agent's message browser, for the pages' content security policy; null for
 * anything that is not exactly an http or https origin. The agent chooses this text, so nothing else may pass.
 */
export function messageBrowserOrigin(text: string): string | null {
  if (text.length > LONGEST_URL_CHARACTERS || !URL.canParse(text)) {
    return null;
  }
  const { origin, href } = new URL(text);
  return href === `${origin}/` && plainOrigin.test(origin) ? origin : null;
}
