// What pages and the dashboard's API agree on. Client-safe.

/** Names the organization that a page acts for: a header, or a connection parameter of a stream. */
export const ORGANIZATION_HEADER = 'x-penstock-organization';
