// The agents that a user's page may query for records.
import 'server-only';
import { createCaller, createContext } from '@penstock/api';
import { getBackend } from './backend';

/**
 * A page must not wait for an unresponsive metadata service. Without an answer, the page may call no agent; it reloads when someone
 * searches.
 */
const LONGEST_WAIT_MS = 5_000;

/** Exact origins of the cluster's live agents with message browsing on; none for users without access to the cluster. */
export async function agentOrigins(headers: Headers, clusterId: string): Promise<readonly string[]> {
  const backend = getBackend();
  try {
    const caller = createCaller(await createContext(backend, headers));
    const view = await Promise.race([
      caller.cluster.view({ clusterId }),
      new Promise<null>((resolve) => setTimeout(() => resolve(null), LONGEST_WAIT_MS).unref()),
    ]);
    const urls = (view?.agents ?? []).flatMap(({ alive, messageBrowserUrl }) =>
      alive && messageBrowserUrl !== null ? [messageBrowserUrl] : [],
    );
    return [...new Set(urls)];
  } catch (error) {
    // Without a session, a membership or a responding owner, the page may call no agent.
    backend.logger.debug({ err: error }, 'no agents are named to a page of records');
    return [];
  }
}
