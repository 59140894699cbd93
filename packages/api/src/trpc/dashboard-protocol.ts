// What pages and the dashboard's API agree on. Client-safe.

/** Names the organization that a page acts for: a header, or a connection parameter of a stream. */
export const ORGANIZATION_HEADER = 'x-penstock-organization';

/** The most calls in one request. A page sends all that it asks for at once; the largest one sends a dozen. */
export const MAX_BATCH_CALLS = 32;
