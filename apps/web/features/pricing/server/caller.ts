// Who calls, as far as the caller cannot choose it.
import { addressNetwork, clientAddress } from '@penstock/platform/client-address';

/**
 * The network that a request comes from. The web server itself notes the peer of the connection behind whatever the request
 * brought along (see instrumentation.ts); only what proxies of ours noted before it is believed.
 * @param trustedProxies PENSTOCK_TRUSTED_PROXIES: addresses or CIDR ranges, separated by commas
 */
export function callerOf(headers: Headers, trustedProxies = ''): string {
  const ranges = trustedProxies.split(',').flatMap((range) => (range.trim() === '' ? [] : [range.trim()]));
  return addressNetwork(clientAddress(headers, ranges));
}
