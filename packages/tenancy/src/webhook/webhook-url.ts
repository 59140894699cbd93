// Which URLs a webhook may have. The addresses that its name resolves to are checked at each delivery.
import { isIP } from 'node:net';
import { AppError } from '@penstock/platform';
import { mayUsePort, type WebhookPolicy } from './outbound-policy.ts';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

/** Whether a delivery may connect to an address. */
export function mayConnect(address: string, { isLoopbackAllowed }: WebhookPolicy): boolean {
  return isPublicAddress(address) || (isLoopbackAllowed && isLoopbackAddress(address));
}

/** The host name or address in a URL, without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

function refused(message: string, remedy: string): AppError {
  return new AppError({ kind: 'invalid-input', code: 'webhook_url_refused', field: 'webhookUrl', message, remedy });
}

/** @throws AppError `webhook_url_refused` with the reason */
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
  if (!mayUsePort(url, host, policy)) {
    throw refused(
      `Port ${url.port} isn’t allowed.`,
      `Use ${policy.allowedPorts.length === 1 ? 'port' : 'one of the ports'} ${policy.allowedPorts.join(', ')}.`,
    );
  }
  if (isPlain && !(isLoopbackAddress(host) || host === 'localhost')) {
    throw refused('URLs without TLS are allowed only on this machine.', 'Use https://.');
  }
  return url;
}
