import { createHmac } from 'node:crypto';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The next code, which is accepted already because clocks may be off. For users who have just typed the current one. */
export function nextTotpCode(key: string): string {
  return totpCode(key, Date.now() + 30_000);
}

/** The codes of an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds). */
export function totpCode(key: string, nowMs = Date.now()): string {
  const bits = [...key].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(nowMs / 30_000)));
  const mac = createHmac('sha1', secret).update(step).digest();
  const offset = mac.readUInt8(19) & 0x0f;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
