// Signs a raw connection in with a SASL mechanism, as a client does: SaslHandshake version 1, SaslAuthenticate version 1.
import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { RawConnection } from './raw-connection.ts';
import { int32, string } from './raw-kafka.ts';
import { Reader } from './wire-reader.ts';

export type SaslMechanism = 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512' | 'OAUTHBEARER';

const TIMEOUT_MS = 60_000;
const SASL_HANDSHAKE = 17;
const SASL_AUTHENTICATE = 36;

/** Names the mechanism. Resolves to the error code. */
export async function handshake(connection: RawConnection, mechanism: string): Promise<number> {
  return new Reader(await connection.ask(SASL_HANDSHAKE, 1, string(mechanism), TIMEOUT_MS)).int16();
}

interface Step {
  errorCode: number;
  token: Buffer;
  /** After which the client must sign in again; 0: never. */
  sessionLifetimeMs: number;
}

/** Sends a token of the exchange. */
export async function sendToken(connection: RawConnection, token: Buffer): Promise<Step> {
  const body = Buffer.concat([int32(token.length), token]);
  const reader = new Reader(await connection.ask(SASL_AUTHENTICATE, 1, body, TIMEOUT_MS));
  const errorCode = reader.int16();
  reader.string(); // message
  return { errorCode, token: reader.bytes(reader.int32()), sessionLifetimeMs: reader.int64() };
}

/** Signs in. `secret` is the password, or the token of OAUTHBEARER. Resolves to the error code of the last answer. */
export async function signIn(
  connection: RawConnection,
  mechanism: SaslMechanism,
  user: string,
  secret: string,
): Promise<number> {
  const refused = await handshake(connection, mechanism);
  if (refused !== 0) {
    return refused;
  }
  switch (mechanism) {
    case 'PLAIN':
      return (await sendToken(connection, Buffer.from(`\0${user}\0${secret}`))).errorCode;
    case 'OAUTHBEARER':
      return (await sendToken(connection, bearer(secret))).errorCode;
    default:
      return signInWithScram(connection, mechanism === 'SCRAM-SHA-256' ? 'sha256' : 'sha512', user, secret);
  }
}

/** The message of OAUTHBEARER (RFC 7628). */
export function bearer(token: string): Buffer {
  return Buffer.from(`n,,\u0001auth=Bearer ${token}\u0001\u0001`);
}

/** RFC 5802. Throws if the server does not prove that it knows the verifier. */
async function signInWithScram(
  connection: RawConnection,
  hash: 'sha256' | 'sha512',
  user: string,
  password: string,
): Promise<number> {
  const clientFirst = `n=${user},r=${randomBytes(18).toString('base64url')}`;
  const challenge = await sendToken(connection, Buffer.from(`n,,${clientFirst}`));
  if (challenge.errorCode !== 0) {
    return challenge.errorCode;
  }
  const serverFirst = challenge.token.toString();
  const { r = '', s = '', i = '' } = attributes(serverFirst);
  const length = hash === 'sha256' ? 32 : 64;
  const salted = pbkdf2Sync(password, Buffer.from(s, 'base64'), Number(i), length, hash);
  const sign = (key: Buffer, text: string): Buffer => createHmac(hash, key).update(text).digest();
  const clientKey = sign(salted, 'Client Key');
  const withoutProof = `c=biws,r=${r}`;
  const signed = `${clientFirst},${serverFirst},${withoutProof}`;
  const signature = sign(createHash(hash).update(clientKey).digest(), signed);
  const proof = clientKey.map((byte, at) => byte ^ (signature[at] ?? 0));
  const last = `${withoutProof},p=${Buffer.from(proof).toString('base64')}`;
  const answer = await sendToken(connection, Buffer.from(last));
  if (answer.errorCode === 0) {
    const { v = '' } = attributes(answer.token.toString());
    if (!timingSafeEqual(Buffer.from(v, 'base64'), sign(sign(salted, 'Server Key'), signed))) {
      throw new Error('The server does not know the credential');
    }
  }
  return answer.errorCode;
}

/** Parses attributes such as `a=…,b=…`. */
function attributes(message: string): Record<string, string> {
  return Object.fromEntries(message.split(',').map((part) => [part.slice(0, 1), part.slice(2)]));
}
