// Authenticates calls to AdminService, which our own web app and worker make. Their tokens name a method, a cluster and a key.
import { createHash, timingSafeEqual } from 'node:crypto';
import { Code, ConnectError, createContextKey, type HandlerContext } from '@connectrpc/connect';
import { type RootSecrets, verifyAdminToken } from '@penstock/platform';
import { bearerToken } from './bearer-token.ts';

/** Admits a call before its request is read. @throws ConnectError unauthenticated */
export type InternalGate = (context: HandlerContext) => void | Promise<void>;

/** Undefined: any cluster, which only the old token gives. */
const clusterKey = createContextKey<string | undefined>(undefined, { description: 'the cluster that the token names' });

/** @param nowMs by this machine's clock */
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

/** The gate of the previous release: one token for all calls. */
export function oldTokenGate(oldToken: string): InternalGate {
  return (context) => {
    const token = bearerToken(context.requestHeader);
    // Hashes have equal lengths, so the comparison does not reveal the token's length.
    if (token === undefined || !timingSafeEqual(sha256(token), sha256(oldToken))) {
      throw new ConnectError('the internal token is missing or wrong', Code.Unauthenticated);
    }
  };
}

/** @throws ConnectError permission_denied when the token is for another cluster than the request */
export function requireCluster(context: Pick<HandlerContext, 'values'>, clusterId: string): void {
  const named = context.values.get(clusterKey);
  if (named !== undefined && named.toLowerCase() !== clusterId) {
    throw new ConnectError('the token is for another virtual cluster', Code.PermissionDenied);
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
