// The agents that a person's page may ask for records.
import 'server-only';
import { createCaller, createContext } from '@penstock/api';
import { getBackend } from './backend';

/** A page must not wait for a metadata service that does not answer; it says so itself, later. */
const LONGEST_WAIT_MS = 2_000;

/** Exact origins of the cluster's living agents whose message browser is on; none for whoever may not see the cluster. */
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
    // Without a session, a membership or an owner that answers, the page calls nobody.
    backend.logger.debug({ err: error }, 'no agents are named to a page of records');
    return [];
  }
}
