// Why an owner cannot answer. Each becomes one Connect error at the door (see rpc/connect-errors.ts).
import { type ClusterStop, describePosition } from '@penstock/metadata-journal';

/** Another process owns the cluster, or nobody can tell who does at the moment. Retriable. */
export class NotOwner extends Error {
  override readonly name = 'NotOwner';
  /** Where the owner is, when known. */
  readonly ownerUrl: string | undefined;

  constructor(clusterId: string, ownerUrl?: string, cause?: unknown, reason?: string) {
    const detail = reason === undefined ? '' : `: ${reason}`;
    super(`this process does not own cluster ${clusterId}${detail}`, cause === undefined ? undefined : { cause });
    this.ownerUrl = ownerUrl;
  }
}

/**
 * The owner stepped down before it could answer. What was asked may or may not have happened: ask again with the same ids,
 * the answer will be the same.
 */
export class OwnerStoppedDown extends Error {
  override readonly name = 'OwnerStoppedDown';

  constructor(clusterId: string, cause?: unknown) {
    super(`the owner of cluster ${clusterId} stepped down`, cause === undefined ? undefined : { cause });
  }
}

/** More is waiting to become durable than the owner is willing to hold. Nothing was changed. Retriable. */
export class OwnerBusy extends Error {
  override readonly name = 'OwnerBusy';

  constructor(clusterId: string) {
    super(`the owner of cluster ${clusterId} has too much work waiting; try again shortly`);
  }
}

/** The database could not be asked whether the journal holds what the caller knows of it. Nothing was changed. Retriable. */
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
 * The cluster's journal lost entries that had been acknowledged. Nothing is served or changed until an operator has brought them back or
 * given them up; callers may go on asking.
 */
export class ClusterStopped extends Error {
  override readonly name = 'ClusterStopped';
  readonly clusterId: string;

  constructor({ clusterId, witness, witnessed, last }: ClusterStop) {
    super(
      `virtual cluster ${clusterId} is stopped: ${witness} knows entry ${describePosition(witnessed)} of its journal, which was durable and ` +
        `is not there any more; the last one is ${describePosition(last)}. The operator of the metadata service has to restore the lost ` +
        `entries or accept their loss: npm run metadata:resume -- --cluster ${clusterId}`,
    );
    this.clusterId = clusterId;
  }
}

/** What `asked` of the database resolves with. @throws JournalUnreachable when it does not answer */
export async function orUnreachable<Answer>(clusterId: string, asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    throw new JournalUnreachable(clusterId, error);
  }
}
