// Header names of the contract, as metadata.proto states them.

/** Request header: the virtual cluster that a call is about. */
export const clusterHeader = 'penstock-cluster';

/** Response header of an `unavailable` answer: the URL of the process that owns the virtual cluster. */
export const ownerUrlHeader = 'penstock-owner-url';
