// The shape of one call of MetadataService: one file per call, each a function from request to response on an open owner.
import type { DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import type { ArrivingCall } from '../auth/agent-gate.ts';
import type { PeerSecret } from '../auth/peer-secrets.ts';
import type { Owner } from '../owners/owner.ts';

/** A call as it came in, by Connect's adapter or as a plain call. */
export interface CallFacts extends ArrivingCall {
  readonly service: { readonly typeName: string };
  readonly method: { readonly name: string };
  /** Of a successful answer. */
  readonly responseHeader: Pick<Headers, 'set'>;
}

export interface AgentCallContext {
  owner: Owner;
  /** The public key of those who may issue tokens for the cluster's message browsers. */
  messageBrowserKey: () => Uint8Array;
  /** By which the cluster's agents know each other now. */
  peerSecrets: () => PeerSecret[];
  /** From this age on, objects that the cluster does not know may be deleted; null: none may. */
  orphanAgeMs: number | null;
}

export type AgentCall<Method extends DescMethodUnary> = (
  context: AgentCallContext,
  request: MessageShape<Method['input']>,
) => Promise<MessageInitShape<Method['output']>>;
