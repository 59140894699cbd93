// Whose calls count together at the door: the peer of the connection, or who the balancers in front say it is.
import type { Socket } from 'node:net';
import { type ContextValues, createContextKey, createContextValues, type HandlerContext } from '@connectrpc/connect';
import { addressNetwork, clientAddress } from '@penstock/platform/client-address';

const peerKey = createContextKey('', { description: 'network address of the peer' });

/** Notes the peer of a connection for what runs within its calls. */
export function peerValues(socket: Pick<Socket, 'remoteAddress'> | undefined): ContextValues {
  return createContextValues().set(peerKey, socket?.remoteAddress ?? '');
}

/**
 * An IPv4 address, or the network of an IPv6 address.
 * @param trustedProxies addresses or CIDR ranges of balancers whose x-forwarded-for is believed; without them the peer counts
 */
export function callerAddress(
  context: { readonly values: HandlerContext['values']; readonly requestHeader: Pick<Headers, 'get'> },
  trustedProxies: readonly string[],
): string {
  const brought = trustedProxies.length === 0 ? null : context.requestHeader.get('x-forwarded-for');
  const peer = context.values.get(peerKey);
  const hops = brought === null ? peer : `${brought}, ${peer}`;
  return addressNetwork(clientAddress({ get: () => hops }, trustedProxies));
}
