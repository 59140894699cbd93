// Header names of the contract, as metadata.proto states them.

/** Request header: the virtual cluster that a call is about. */
export const CLUSTER_HEADER = 'penstock-cluster';

/** Response header of an `unavailable` answer: the URL of the process that owns the virtual cluster. */
export const OWNER_URL_HEADER = 'penstock-owner-url';

/**
 * Request and response header: the newest entry of the cluster's journal that the sender knows to be durable. The service makes these
 * texts; agents keep the newest and send it back.
 */
export const JOURNAL_POSITION_HEADER = 'penstock-journal-position';

/** Response header of an `unavailable` answer: the virtual cluster is stopped until an operator resumes it. */
export const CLUSTER_STOPPED_HEADER = 'penstock-cluster-stopped';
