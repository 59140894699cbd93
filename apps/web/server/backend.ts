// The services of this process. Opened on the first request, so that a build needs no settings.
import 'server-only';
import type { Backend } from '@penstock/api';
import { createBackend } from './create-backend.ts';

// Next loads this module more than once per process (pages and route handlers), so the backend is shared through globalThis to have one
// connection pool.
const holder: typeof globalThis & { penstockBackend?: Backend } = globalThis;

/** @throws AppError `environment_invalid` that names the variables at fault */
export function getBackend(): Backend {
  if (holder.penstockBackend === undefined) {
    const backend = createBackend(process.env);
    // On shutdown the process waits for its responses; streams do not end by themselves.
    process.once('SIGTERM', () => backend.openStreams.close());
    process.once('SIGINT', () => backend.openStreams.close());
    holder.penstockBackend = backend;
  }
  return holder.penstockBackend;
}
