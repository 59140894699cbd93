// What the owners refuse, as Connect errors of the contract.
import { Code, ConnectError, type HandlerContext } from '@connectrpc/connect';
import { clusterStoppedHeader, ownerUrlHeader } from '@penstock/metadata-protocol';
import { ClusterDeleted, ClusterStopped, NotOwner, OwnerBusy, OwnerStoppedDown } from '../owners/errors.ts';
import { Superseded } from '../owners/parked-calls.ts';

/**
 * The error for the caller. Sets the response header that names the owner, when it is known.
 * @param onDefect hears of whatever is not a refusal, since the caller is only told "internal error"
 */
export function connectErrorOf(
  error: unknown,
  context: Pick<HandlerContext, 'responseHeader' | 'method'>,
  onDefect: (error: unknown, method: string) => void,
): ConnectError {
  if (error instanceof ConnectError) return error;
  if (error instanceof NotOwner) {
    if (error.ownerUrl !== undefined) context.responseHeader.set(ownerUrlHeader, error.ownerUrl);
    return new ConnectError(error.message, Code.Unavailable, undefined, undefined, error);
  }
  if (error instanceof ClusterStopped) {
    // Agents from before this header go on asking, as they do while nobody owns the cluster.
    return new ConnectError(error.message, Code.Unavailable, { [clusterStoppedHeader]: '1' }, undefined, error);
  }
  if (error instanceof OwnerStoppedDown || error instanceof OwnerBusy) {
    return new ConnectError(error.message, Code.Unavailable, undefined, undefined, error);
  }
  if (error instanceof ClusterDeleted)
    return new ConnectError(error.message, Code.NotFound, undefined, undefined, error);
  if (error instanceof Superseded) return new ConnectError(error.message, Code.Aborted, undefined, undefined, error);
  onDefect(error, context.method.name);
  return new ConnectError('internal error', Code.Internal, undefined, undefined, error);
}
