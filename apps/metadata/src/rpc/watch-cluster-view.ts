// The dashboard's stream: the current view, then one after each change, at most once a second.
import type { HandlerContext } from '@connectrpc/connect';
import type { Owner } from '../owners/owner.ts';
import { clusterViewMessage } from './messages/cluster-view.ts';

const MIN_INTERVAL_MS = 1_000;
/** Without a change, a view is sent this often, because the throughput still changes. */
const MAX_INTERVAL_MS = 10_000;

export async function* watchClusterView(owner: Owner, context: HandlerContext) {
  while (!context.signal.aborted) {
    const { version } = owner;
    yield await clusterViewMessage(owner);
    let waitedMs = 0;
    do {
      await pause(MIN_INTERVAL_MS, context.signal);
      waitedMs += MIN_INTERVAL_MS;
    } while (owner.version === version && !owner.isClosed && waitedMs < MAX_INTERVAL_MS && !context.signal.aborted);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}
