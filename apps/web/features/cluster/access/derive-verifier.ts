// Derives SCRAM verifiers (RFC 5802, section 3) in the browser, so that passwords never leave it.

export type Mechanism = 'SCRAM-SHA-256' | 'SCRAM-SHA-512';

export const DEFAULT_ITERATIONS = 8_192;
const SALT_BYTES = 32;
/** 192 random bits: 32 characters. */
const PASSWORD_BYTES = 24;

const HASHES = { 'SCRAM-SHA-256': 'SHA-256', 'SCRAM-SHA-512': 'SHA-512' } as const;
const HASH_BITS = { 'SCRAM-SHA-256': 256, 'SCRAM-SHA-512': 512 } as const;

/** Bytes are in base64, as the API takes them. */
export interface Verifier {
  mechanism: Mechanism;
  salt: string;
  storedKey: string;
  serverKey: string;
  iterations: number;
}

/** Browsers offer the cryptography only to pages from HTTPS or localhost. */
export function canDerive(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

/** A password that nobody can guess, without characters that need quoting in a properties file. */
export function generatePassword(): string {
  return toBase64(crypto.getRandomValues(new Uint8Array(PASSWORD_BYTES)))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

/** Like Kafka's clients, takes the password's UTF-8 as it is, without SASLprep. */
export async function deriveVerifier(
  mechanism: Mechanism,
  password: string,
  salt: Uint8Array<ArrayBuffer> = crypto.getRandomValues(new Uint8Array(SALT_BYTES)),
  iterations = DEFAULT_ITERATIONS,
): Promise<Verifier> {
  const hash = HASHES[mechanism];
  const { subtle } = crypto;
  const typed = await subtle.importKey('raw', utf8(password), 'PBKDF2', false, ['deriveBits']);
  const salted = await subtle.deriveBits({ name: 'PBKDF2', hash, salt, iterations }, typed, HASH_BITS[mechanism]);
  const key = await subtle.importKey('raw', salted, { name: 'HMAC', hash }, false, ['sign']);
  const clientKey = await subtle.sign('HMAC', key, utf8('Client Key'));
  const storedKey = await subtle.digest(hash, clientKey);
  const serverKey = await subtle.sign('HMAC', key, utf8('Server Key'));
  return {
    mechanism,
    salt: toBase64(salt),
    storedKey: toBase64(new Uint8Array(storedKey)),
    serverKey: toBase64(new Uint8Array(serverKey)),
    iterations,
  };
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
