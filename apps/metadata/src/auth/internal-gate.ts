// Authenticates calls to AdminService, which our own web app and worker make. Their tokens name a method, a cluster and a key.
import { Code, ConnectError, createContextKey, type HandlerContext } from '@connectrpc/connect';
import { type RootSecrets, verifyAdminToken } from '@penstock/platform';
import { bearerToken } from './bearer-token.ts';

/** Admits a call before its request is read. @throws ConnectError unauthenticated */
export type InternalGate = (context: HandlerContext) => void | Promise<void>;

const clusterKey = createContextKey<string | undefined>(undefined, { description: 'the cluster that the token names' });

/** @param nowMs by the database's clock: the control plane dates its tokens by it, too */
export function tokenGate(keys: RootSecrets, nowMs: () => number): InternalGate {
  return async (context) => {
    const token = bearerToken(context.requestHeader) ?? '';
    const verdict = await verifyAdminToken(keys, token, context.method.name, nowMs());
    if (!verdict.ok) {
      throw new ConnectError(verdict.reason, Code.Unauthenticated);
    }
    context.values.set(clusterKey, verdict.clusterId);
  };
}

/** @throws ConnectError permission_denied when the token is for another cluster than the request */
export function requireCluster(context: Pick<HandlerContext, 'values'>, clusterId: string): void {
  const named = context.values.get(clusterKey);
  if (named?.toLowerCase() !== clusterId) {
    throw new ConnectError('the token is for another virtual cluster', Code.PermissionDenied);
  }
}
