// Tells which page shows a topic's messages. Pure.

const MESSAGES_PAGE =
  /^\/app\/clusters\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\/topics\/[^/]+\/messages\/?$/;

/** The cluster of the messages page at this path; null for every other page. */
export function messagesPageCluster(pathname: string): string | null {
  return MESSAGES_PAGE.exec(pathname)?.[1] ?? null;
}
