// Why an owner cannot answer. Each becomes one Connect error at the door (see rpc/connect-errors.ts).

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

/** The virtual cluster was deleted while it was open. */
export class ClusterDeleted extends Error {
  override readonly name = 'ClusterDeleted';

  constructor(clusterId: string) {
    super(`virtual cluster ${clusterId} is deleted`);
  }
}
