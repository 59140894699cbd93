// The network address of a caller: the peer of the connection, or the client that a trusted load balancer names.
import type { Socket } from 'node:net';
import { type ContextValues, createContextKey, createContextValues, type HandlerContext } from '@connectrpc/connect';
import { clientAddress } from '@penstock/platform/client-address';

const peerKey = createContextKey('', { description: 'network address of the peer' });

/** Stores the peer of a connection for the handlers of its calls. */
export function peerValues(socket: Pick<Socket, 'remoteAddress'> | undefined): ContextValues {
  return createContextValues().set(peerKey, socket?.remoteAddress ?? '');
}

/**
 * An IP address, or `unknown`.
 * @param trustedProxies addresses or CIDR ranges of load balancers whose x-forwarded-for is trusted; if empty, the peer's address counts
 */
export function callerAddress(
  context: { readonly values: HandlerContext['values']; readonly requestHeader: Pick<Headers, 'get'> },
  trustedProxies: readonly string[],
): string {
  const brought = trustedProxies.length === 0 ? null : context.requestHeader.get('x-forwarded-for');
  const peer = context.values.get(peerKey);
  const hops = brought === null ? peer : `${brought}, ${peer}`;
  return clientAddress({ get: () => hops }, trustedProxies);
}
