// The services of this process. Opened on the first request, so that a build needs no settings.
import 'server-only';
import type { Backend } from '@penstock/api';
import { drainSecondsVariable, parseEnv } from '@penstock/platform';
import { createBackend } from './create-backend.ts';

// Next loads this module more than once per process (pages and route handlers), so the backend is shared through globalThis to have one
// connection pool.
const holder: typeof globalThis & { penstockBackend?: Backend } = globalThis;

/** @throws AppError `environment_invalid` that names the variables at fault */
export function getBackend(): Backend {
  if (holder.penstockBackend === undefined) {
    const backend = createBackend(process.env);
    // On shutdown the process waits for its responses; streams do not end by themselves. Before the drain is over, a load
    // balancer might send their clients back to this process.
    const { PENSTOCK_WEB_DRAIN_SECONDS: drainSeconds } = parseEnv(
      { PENSTOCK_WEB_DRAIN_SECONDS: drainSecondsVariable },
      process.env,
    );
    const endStreams = (): void => void setTimeout(() => backend.openStreams.close(), drainSeconds * 1_000);
    process.once('SIGTERM', endStreams);
    process.once('SIGINT', endStreams);
    holder.penstockBackend = backend;
  }
  return holder.penstockBackend;
}
