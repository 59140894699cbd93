// The types of a MetadataService call. Each call has a file of its own: a function from request to response, given an open owner.
import type { DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import type { AgentKeyScope } from '@penstock/platform/agent-key-scope';
import type { AddressVerdict } from '../auth/agent-addresses.ts';
import type { ArrivingCall } from '../auth/agent-gate.ts';
import type { DeedClient, DeedKind } from '../auth/key-deeds.ts';
import type { PeerSecret } from '../auth/peer-secrets.ts';
import type { Owner } from '../owners/owner.ts';

/** A call as it arrived, through Connect's adapter or as a plain call. */
export interface CallFacts extends ArrivingCall {
  readonly service: { readonly typeName: string };
  readonly method: { readonly name: string };
  /** Headers of a successful response. */
  readonly responseHeader: Pick<Headers, 'set'>;
  /** Aborted when the caller has broken the call off: what is not done yet need not be. */
  readonly signal: Pick<AbortSignal, 'aborted'>;
}

export interface AgentCallContext {
  owner: Owner;
  /** The caller's agent key. */
  keyId: string;
  /** Counts what a client did with records or offsets, for the audit log. */
  noteDeed: (kind: DeedKind, subject: string, client: DeedClient) => void;
  /** The permissions of the key. */
  scope: AgentKeyScope | undefined;
  /** Whether the cluster takes its agents' word for who may change users, ACLs and quotas. */
  mayAdminister: boolean;
  /** The secret with this id, if the cluster's agents had it lately. */
  peerSecret: (id: bigint) => Uint8Array | undefined;
  /** The public keys that verify tokens for the cluster's message browsers. Tokens are signed with the first. */
  messageBrowserKeys: () => [Uint8Array, ...Uint8Array[]];
  /** The secrets with which the cluster's agents authenticate each other now. */
  peerSecrets: () => PeerSecret[];
  /** Whether the caller's key may hand out these hosts. */
  addressVerdict: (hosts: readonly string[]) => Promise<AddressVerdict>;
  /** Objects that the cluster does not know may be deleted from this age on. Null: none may. */
  orphanAgeMs: number | null;
  /**
   * Waits for another turn among all clusters. Undefined: the call may go on at once.
   * @throws ConnectError canceled when the caller has broken the call off
   */
  turn: () => Promise<void> | undefined;
  /** Stores the cluster's default of max.uncompressed.batch.bytes in the control plane. */
  storeMaxUncompressedBatchBytes: (bytes: number) => Promise<void>;
  /** Charges the batches of a commit to the caller's budgets. */
  chargeBatches: (batches: number) => void;
}

export type AgentCall<Method extends DescMethodUnary> = (
  context: AgentCallContext,
  request: MessageShape<Method['input']>,
) => Promise<MessageInitShape<Method['output']>>;
