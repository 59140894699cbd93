// Authenticates calls to MetadataService and finds the cluster that they are for. Runs before the request body is read.
import { Code, ConnectError, createContextKey, type HandlerContext } from '@connectrpc/connect';
import { CLUSTER_HEADER, CLUSTER_STOPPED_HEADER } from '@penstock/metadata-protocol';
import { isUuid } from '@penstock/platform';
import type { AgentIdentity, AgentKeys, KeyVerdict } from './agent-keys.ts';
import { bearerToken } from './bearer-token.ts';
import { callerAddress } from './caller-address.ts';

/** An authenticated call: its identity, and its key, which is checked again while a stream is open. */
export interface AgentCaller extends AgentIdentity {
  key: string;
  /** The caller's IP address, or `unknown`. */
  address: () => string;
}

/** The parts of a call that authentication needs, on either transport. */
export interface ArrivingCall {
  readonly requestHeader: Pick<Headers, 'get'>;
  readonly values: HandlerContext['values'];
}

const RETRY_AFTER_HEADER = 'retry-after';

export const agentCallerKey = createContextKey<AgentCaller | undefined>(undefined, {
  description: 'the calling agent',
});

/**
 * @param trustedProxies load balancers whose x-forwarded-for is trusted
 * @throws ConnectError with the codes that the contract lists
 */
export async function admitAgent(
  keys: AgentKeys,
  trustedProxies: readonly string[],
  context: ArrivingCall,
): Promise<void> {
  const key = bearerToken(context.requestHeader);
  if (key === undefined) {
    throw new ConnectError('no agent key: send the header "authorization: Bearer <agent key>"', Code.Unauthenticated);
  }
  const clusterId = context.requestHeader.get(CLUSTER_HEADER)?.toLowerCase() ?? '';
  const address = (): string => callerAddress(context, trustedProxies);
  const identity = identityOf(await ask(keys, key, address));
  if (!isUuid(clusterId)) {
    throw new ConnectError(
      `the header "${CLUSTER_HEADER}" must name a virtual cluster by its id`,
      Code.InvalidArgument,
    );
  }
  if (identity.clusterId !== clusterId) {
    throw new ConnectError(
      `this agent key belongs to another virtual cluster than ${clusterId}: use a key of that cluster`,
      Code.PermissionDenied,
    );
  }
  context.values.set(agentCallerKey, { ...identity, key, address });
}

/** The identity of an authenticated caller. */
export function agentCaller(context: ArrivingCall): AgentCaller {
  const caller = context.values.get(agentCallerKey);
  if (caller === undefined) {
    throw new ConnectError('the call was not admitted', Code.Internal);
  }
  return caller;
}

async function ask(keys: AgentKeys, key: string, address: () => string): Promise<KeyVerdict> {
  try {
    return await keys.verify(key, address);
  } catch (cause) {
    throw new ConnectError(
      'the agent key cannot be checked at the moment; try again',
      Code.Unavailable,
      undefined,
      undefined,
      cause,
    );
  }
}

function identityOf(verdict: KeyVerdict): AgentIdentity {
  switch (verdict.outcome) {
    case 'good':
      return verdict.identity;
    case 'malformed':
      throw new ConnectError(`the agent key is malformed. ${verdict.message}`, Code.Unauthenticated);
    case 'unknown':
      throw new ConnectError(
        'the agent key is unknown: copy it again, or create a new one in the dashboard',
        Code.Unauthenticated,
      );
    case 'revoked':
      throw new ConnectError('the agent key is revoked: create a new one in the dashboard', Code.Unauthenticated);
    case 'expired':
      throw new ConnectError(
        'the agent key has expired: create a new one in the dashboard, or extend this one there',
        Code.Unauthenticated,
      );
    case 'wrong-network':
      throw new ConnectError(
        `the agent key may not be used from ${verdict.address}: add this address to the key's networks in the dashboard, or use the agent from one of them`,
        Code.PermissionDenied,
      );
    case 'cluster-deleted':
      throw new ConnectError('the virtual cluster is deleted', Code.NotFound);
    case 'suspended':
      // Not a fault of the key: agents keep trying, tell why, and serve again once the suspension is lifted.
      throw new ConnectError(`the organization is suspended: ${verdict.reason}`, Code.Unavailable, {
        [CLUSTER_STOPPED_HEADER]: '1',
      });
    case 'throttled': {
      const retryAfterS = Math.ceil(verdict.retryAfterMs / 1_000);
      throw new ConnectError(
        `too many unknown agent keys came from this network address: try again in ${retryAfterS} s, and look whether an agent there has a key that was deleted`,
        Code.ResourceExhausted,
        { [RETRY_AFTER_HEADER]: String(retryAfterS) },
      );
    }
    case 'busy':
      throw new ConnectError('too many agent keys wait to be checked: try again', Code.Unavailable);
  }
}
