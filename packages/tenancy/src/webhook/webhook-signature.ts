// The signature of a webhook call: `t=<Unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`, the format that Stripe uses.
import { createHmac } from 'node:crypto';
import { randomBase62 } from '@penstock/platform';

/** 32 base-62 characters hold 190 random bits. */
export function newWebhookSecret(): string {
  return `whsec_${randomBase62(32)}`;
}

/** The value of the `Penstock-Signature` header. It covers the time, so that receivers can reject replayed calls. */
export function signWebhook(secret: string, body: string, now: Date): string {
  const atS = Math.floor(now.getTime() / 1000);
  const digest = createHmac('sha256', secret).update(`${atS}.${body}`).digest('hex');
  return `t=${atS},v1=${digest}`;
}
