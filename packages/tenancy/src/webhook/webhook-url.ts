// What may stand in a webhook's URL. What its name resolves to is judged again at each delivery, where it counts.
import { isIP } from 'node:net';
import { AppError } from '@penstock/platform';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

export interface WebhookPolicy {
  /** On a machine of one's own (embedded mode) a webhook may call that machine, and without TLS. */
  isLoopbackAllowed: boolean;
}

/** Whether a delivery may connect to an address. */
export function mayConnect(address: string, { isLoopbackAllowed }: WebhookPolicy): boolean {
  return isPublicAddress(address) || (isLoopbackAllowed && isLoopbackAddress(address));
}

/** The name or address in a URL, without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

function refused(message: string, remedy: string): AppError {
  return new AppError({ kind: 'invalid-input', code: 'webhook_url_refused', field: 'webhookUrl', message, remedy });
}

/** @throws AppError `webhook_url_refused` that says what is wrong with it */
export function checkWebhookUrl(text: string, policy: WebhookPolicy): URL {
  const url = URL.parse(text);
  if (url === null) {
    throw refused('This is not a valid URL.', 'Use a URL such as https://example.com/penstock.');
  }
  const isPlain = url.protocol === 'http:' && policy.isLoopbackAllowed;
  if (url.protocol !== 'https:' && !isPlain) {
    throw refused(
      'The URL doesn’t start with https://.',
      'Use https://. Events are signed, but only TLS keeps them private.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw refused('The URL contains a user name or password.', 'Remove them and verify our signature instead.');
  }
  const host = hostOf(url);
  if (isIP(host) !== 0 && !mayConnect(host, policy)) {
    throw refused('The URL points to a private network.', 'Use an address that is reachable from the internet.');
  }
  if (isPlain && !(isLoopbackAddress(host) || host === 'localhost')) {
    throw refused('URLs without TLS are allowed only on this machine.', 'Use https://.');
  }
  return url;
}
