// Which page shows a topic's records. Pure.

const MESSAGES_PAGE =
  /^\/app\/clusters\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\/topics\/[^/]+\/messages\/?$/;

/** The cluster whose records the page at this address shows; null for every other page. */
export function messagesPageCluster(pathname: string): string | null {
  return MESSAGES_PAGE.exec(pathname)?.[1] ?? null;
}
