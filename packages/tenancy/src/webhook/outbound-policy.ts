// Where calls to URLs of customers may go.
import { isLoopbackAddress } from './public-address.ts';

const HTTPS_PORT = 443;
const HTTP_PORT = 80;

export interface WebhookPolicy {
  /** In embedded mode we may call this machine, on any port and without TLS. */
  isLoopbackAllowed: boolean;
  /** Ports of other machines. */
  allowedPorts: readonly number[];
}

/** Whether a call may use the URL's port. A name that resolves to this machine is refused when it is resolved. */
export function mayUsePort(url: URL, host: string, { isLoopbackAllowed, allowedPorts }: WebhookPolicy): boolean {
  const port = url.port === '' ? (url.protocol === 'https:' ? HTTPS_PORT : HTTP_PORT) : Number(url.port);
  return allowedPorts.includes(port) || (isLoopbackAllowed && (host === 'localhost' || isLoopbackAddress(host)));
}
