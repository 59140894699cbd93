// Why an owner cannot answer. Each error maps to one Connect error (see rpc/connect-errors.ts).
import { type ClusterStop, describePosition } from '@penstock/metadata-journal';

/** Another process owns the cluster, or the owner is unknown at the moment. Retriable. */
export class NotOwner extends Error {
  override readonly name = 'NotOwner';
  /** The owner's URL, when known. */
  readonly ownerUrl: string | undefined;
  /** Where the control plane reaches the owner, when known. */
  readonly adminUrl: string | undefined;

  constructor(clusterId: string, ownerUrl?: string, cause?: unknown, reason?: string, adminUrl?: string) {
    const detail = reason === undefined ? '' : `: ${reason}`;
    super(`this process does not own cluster ${clusterId}${detail}`, cause === undefined ? undefined : { cause });
    this.ownerUrl = ownerUrl;
    this.adminUrl = adminUrl;
  }
}

/**
 * The owner stepped down before it could answer. The request may or may not have been applied. A retry with the same ids gets the same
 * answer.
 */
export class OwnerSteppedDown extends Error {
  override readonly name = 'OwnerSteppedDown';

  constructor(clusterId: string, cause?: unknown) {
    super(`the owner of cluster ${clusterId} stepped down`, cause === undefined ? undefined : { cause });
  }
}

/** Too many commands are waiting to become durable. Nothing was changed. Retriable. */
export class OwnerBusy extends Error {
  override readonly name = 'OwnerBusy';

  constructor(clusterId: string) {
    super(`the owner of cluster ${clusterId} has too much work waiting; try again shortly`);
  }
}

/** There is no memory for what the command would add. Nothing was changed. Retriable, since memory returns as data expires or is merged. */
export class MemoryFull extends Error {
  override readonly name = 'MemoryFull';
}

/**
 * The command broke an invariant of the state machine before, so it is not applied again. Nothing was changed. Not retriable: it takes a
 * mended release.
 */
export class CommandQuarantined extends Error {
  override readonly name = 'CommandQuarantined';

  /** @param hash of the command, as the log has it */
  constructor(clusterId: string, hash: string) {
    super(
      `this change of virtual cluster ${clusterId} met a fault in the metadata service, and was not applied; everything else goes on. Contact ` +
        `us and name the change ${hash.slice(0, 16)}`,
    );
  }
}

/** The cluster, its organization or the caller's key has as many watch streams as it may. The message says what to do. */
export class TooManyWatches extends Error {
  override readonly name = 'TooManyWatches';
}

/**
 * The database was unreachable, so the position that the caller sent could not be checked against the journal. Nothing was changed.
 * Retriable.
 */
export class JournalUnreachable extends Error {
  override readonly name = 'JournalUnreachable';

  constructor(clusterId: string, cause: unknown) {
    super(`the journal of cluster ${clusterId} cannot be asked at the moment; try again shortly`, { cause });
  }
}

/** The virtual cluster was deleted while it was open. */
export class ClusterDeleted extends Error {
  override readonly name = 'ClusterDeleted';

  constructor(clusterId: string) {
    super(`virtual cluster ${clusterId} is deleted`);
  }
}

/**
 * The cluster's journal lost acknowledged entries, or an invariant of its state is broken. Nothing is served or changed until an operator
 * resumes it. Callers may keep retrying.
 */
export class ClusterStopped extends Error {
  override readonly name = 'ClusterStopped';
  readonly clusterId: string;
  /** For agents, which belong to customers. The error's own message is for the operator, and stays in logs. */
  readonly messageForAgents: string;

  constructor(stop: ClusterStop) {
    super(`virtual cluster ${stop.clusterId} is stopped: ${reasonOf(stop)}`);
    const { clusterId, fault } = stop;
    const what =
      fault === undefined
        ? 'acknowledged metadata is missing after a failure on our side'
        : 'our service found a fault in its own state of it';
    this.clusterId = clusterId;
    this.messageForAgents =
      `virtual cluster ${clusterId} is stopped, because ${what}. Keep the agents ` +
      'running and leave the bucket as it is: nothing is deleted, and they go on once we have restored it. Contact us if you have not heard from us.';
  }
}

function reasonOf({ clusterId, witness, witnessed, last, fault }: ClusterStop): string {
  if (fault !== undefined) {
    const at = fault.command === '' ? '' : `, at the command ${fault.command} (${fault.sha256})`;
    return (
      `its state is broken at entry ${describePosition(fault.position)} of its journal${at}: ${fault.message}. Nothing is lost. Once a ` +
      `mended release runs, resume it: npm run admin -- metadata resume --cluster ${clusterId} --mended`
    );
  }
  return (
    `${witness} knows entry ${describePosition(witnessed)} of its journal, which was durable and ` +
    `is not there any more; the last one is ${describePosition(last)}. The operator of the metadata service has to restore the lost ` +
    `entries or accept their loss: npm run admin -- metadata resume --cluster ${clusterId}`
  );
}

/** Resolves with the result of a database call. @throws JournalUnreachable when the database does not answer */
export async function orUnreachable<Answer>(clusterId: string, asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    throw new JournalUnreachable(clusterId, error);
  }
}
