// Header names of the contract, as documented in metadata.proto.

/** Request header: the virtual cluster that a call is for. */
export const CLUSTER_HEADER = 'penstock-cluster';

/** Response header of an `unavailable` answer: the URL of the process that owns the virtual cluster. */
export const OWNER_URL_HEADER = 'penstock-owner-url';

/**
 * Request and response header: the newest entry of the cluster's journal that the sender knows to be durable. The service creates the
 * value; agents keep the newest one and send it back.
 */
export const JOURNAL_POSITION_HEADER = 'penstock-journal-position';

/** Response header of an `unavailable` answer: the virtual cluster is stopped until an operator resumes it. */
export const CLUSTER_STOPPED_HEADER = 'penstock-cluster-stopped';

/** Response header of an `unavailable` answer: the agent advertises a host that waits for confirmation. */
export const ADDRESS_UNCONFIRMED_HEADER = 'penstock-address-unconfirmed';

/** Response header of an `unavailable` answer: the call may have taken effect. */
export const OUTCOME_UNKNOWN_HEADER = 'penstock-outcome-unknown';
