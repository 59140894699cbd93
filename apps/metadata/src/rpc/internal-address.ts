// Checks where an agent says that the other agents of its zone reach it, and by which key.
import { Code, ConnectError } from '@connectrpc/connect';

const LONGEST_URL_CHARS = 300;
const SHA256_BYTES = 32;

/** The text as an http or https origin. Null for anything else, so that no agent can make others send requests to arbitrary URLs. */
export function internalOrigin(text: string): string | null {
  if (text.length > LONGEST_URL_CHARS || !URL.canParse(text)) {
    return null;
  }
  const { origin, href, protocol } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && href === `${origin}/` ? origin : null;
}

/**
 * The SHA-256 of the key that the agent shows to the others; empty for an agent without an internal listener.
 * @throws ConnectError `invalid_argument`
 */
export function internalKey(internalUrl: string, keySha256: Uint8Array): Uint8Array {
  const isAbsent = keySha256.length === 0 && internalUrl === '';
  if (!isAbsent && keySha256.length !== SHA256_BYTES) {
    throw new ConnectError(
      `internal_key_sha256 has ${keySha256.length} bytes. Send the SHA-256 of the agent's public key, which has ${SHA256_BYTES} bytes, ` +
        'or leave internal_url and internal_key_sha256 empty if the agent serves no other agents of its zone.',
      Code.InvalidArgument,
    );
  }
  // A copy, since the bytes of a decoded message may be part of the request's body.
  return Uint8Array.from(keySha256);
}
