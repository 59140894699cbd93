// Whose calls count together at the door: the peer of the connection, or who the balancers in front say it is.
import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { type ContextValues, createContextKey, createContextValues, type HandlerContext } from '@connectrpc/connect';
import { addressNetwork, clientAddress } from '@penstock/platform/client-address';

const peerKey = createContextKey('', { description: 'network address of the peer' });

/** Notes the peer of a request for what runs within it. */
export function peerValues(request: IncomingMessage | Http2ServerRequest): ContextValues {
  return createContextValues().set(peerKey, request.socket.remoteAddress ?? '');
}

/**
 * An IPv4 address, or the network of an IPv6 address.
 * @param trustedProxies addresses or CIDR ranges of balancers whose x-forwarded-for is believed; without them the peer counts
 */
export function callerAddress(
  context: Pick<HandlerContext, 'values' | 'requestHeader'>,
  trustedProxies: readonly string[],
): string {
  const brought = trustedProxies.length === 0 ? null : context.requestHeader.get('x-forwarded-for');
  const peer = context.values.get(peerKey);
  const hops = brought === null ? peer : `${brought}, ${peer}`;
  return addressNetwork(clientAddress({ get: () => hops }, trustedProxies));
}
