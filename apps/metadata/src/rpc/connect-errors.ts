// Maps the owners' errors to the Connect errors of the contract.
import { Code, ConnectError } from '@connectrpc/connect';
import { CLUSTER_STOPPED_HEADER, OUTCOME_UNKNOWN_HEADER, OWNER_URL_HEADER } from '@penstock/metadata-protocol';
import { QueueFull } from '../budgets/fair-queue.ts';
import {
  ClusterDeleted,
  ClusterStopped,
  CommandQuarantined,
  JournalUnreachable,
  MemoryFull,
  NotOwner,
  OwnerBusy,
  OwnerSteppedDown,
  TooManyWatches,
} from '../owners/errors.ts';
import { Superseded } from '../owners/parked-calls.ts';
import { PatternsUnavailable } from '../owners/patterns/patterns.ts';

const RETRY_AFTER_HEADER = 'retry-after';
const ROOM_RETRY_AFTER_S = '5';

/**
 * The error for the caller. Its metadata names the owner, if known; in the response to a unary call that is a header.
 * @param method the call's name
 * @param onDefect receives every error that is not a refusal, since the caller only gets "internal error"
 */
export function connectErrorOf(
  error: unknown,
  method: string,
  onDefect: (error: unknown, method: string) => void,
): ConnectError {
  if (error instanceof ConnectError) {
    return error;
  }
  if (error instanceof NotOwner) {
    const metadata = error.ownerUrl === undefined ? undefined : { [OWNER_URL_HEADER]: error.ownerUrl };
    return new ConnectError(error.message, Code.Unavailable, metadata, undefined, error);
  }
  if (error instanceof ClusterStopped) {
    // Agents from before this header keep retrying, as they do while the cluster has no owner.
    return new ConnectError(
      error.messageForAgents,
      Code.Unavailable,
      { [CLUSTER_STOPPED_HEADER]: '1' },
      undefined,
      error,
    );
  }
  if (error instanceof OwnerSteppedDown) {
    // Agents send their calls again with the same ids; the control plane must not repeat a change.
    return new ConnectError(error.message, Code.Unavailable, { [OUTCOME_UNKNOWN_HEADER]: '1' }, undefined, error);
  }
  if (
    error instanceof OwnerBusy ||
    error instanceof QueueFull ||
    error instanceof PatternsUnavailable ||
    error instanceof JournalUnreachable
  ) {
    return new ConnectError(error.message, Code.Unavailable, undefined, undefined, error);
  }
  if (error instanceof MemoryFull || error instanceof TooManyWatches) {
    const metadata = { [RETRY_AFTER_HEADER]: ROOM_RETRY_AFTER_S };
    return new ConnectError(error.message, Code.ResourceExhausted, metadata, undefined, error);
  }
  if (error instanceof CommandQuarantined) {
    return new ConnectError(error.message, Code.Internal, undefined, undefined, error);
  }
  if (error instanceof ClusterDeleted) {
    return new ConnectError(error.message, Code.NotFound, undefined, undefined, error);
  }
  if (error instanceof Superseded) {
    return new ConnectError(error.message, Code.Aborted, undefined, undefined, error);
  }
  if (isCallerGone(error)) {
    return new ConnectError('the caller has broken the call off', Code.Canceled, undefined, undefined, error);
  }
  onDefect(error, method);
  return new ConnectError('internal error', Code.Internal, undefined, undefined, error);
}

/**
 * Node's codes for a write to a caller that has left: ECANCELED when an event was waiting for the reader, ERR_HTTP2_INVALID_STREAM for one
 * that came later. Connect throws either into the generator that yields the answers.
 * https://nodejs.org/api/errors.html#err_http2_invalid_stream
 */
const CALLER_GONE: ReadonlySet<unknown> = new Set(['ECANCELED', 'ERR_HTTP2_INVALID_STREAM']);

function isCallerGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CALLER_GONE.has(error.code);
}
