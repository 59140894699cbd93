// Keeps people signed in while the root secret is replaced: the account library checks cookies with one secret, so
// cookies that an older one signed get a signature by the first one before the library sees them.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { RootSecrets } from '@penstock/platform';

const sign = (secret: string, value: string): Buffer => createHmac('sha256', secret).update(value).digest();

/** The library's signed cookies: percent-encoded `value.signature`, with 44 characters of base64. */
const SIGNED = /^(.+)\.([A-Za-z0-9+/]{43}=)$/s;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @returns the same headers if there is nothing to change */
export function resignCookies(headers: Headers, [first, ...older]: RootSecrets): Headers {
  const cookie = headers.get('cookie');
  if (cookie === null || older.length === 0) {
    return headers;
  }
  const pairs = cookie.split(';').map((pair) => {
    const [, name, stored] = /^\s*([^=]+)=(.*)$/s.exec(pair) ?? [];
    const [, value, signature] = SIGNED.exec(decode(stored ?? '')) ?? [];
    if (name === undefined || value === undefined || signature === undefined) {
      return pair.trim();
    }
    const given = Buffer.from(signature, 'base64');
    const isOlder = older.some(({ secret }) => timingSafeEqual(sign(secret, value), given));
    const newSignature = isOlder ? sign(first.secret, value).toString('base64') : signature;
    return `${name}=${encodeURIComponent(`${value}.${newSignature}`)}`;
  });
  const changed = new Headers(headers);
  changed.set('cookie', pairs.join('; '));
  return changed;
}
