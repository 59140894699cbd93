// The opened services of this process. Opened with the first request, so that a build needs no settings.
import 'server-only';
import type { Backend } from '@penstock/api';
import { createBackend } from './create-backend.ts';

// Next loads this module more than once per process (pages and route handlers); one pool of connections serves them all.
const holder: typeof globalThis & { penstockBackend?: Backend } = globalThis;

/** @throws AppError `environment_invalid` that names the variables at fault */
export function getBackend(): Backend {
  if (holder.penstockBackend === undefined) {
    const backend = createBackend(process.env);
    // A process that leaves waits for its answers; streams have no end of their own.
    process.once('SIGTERM', () => backend.openStreams.close());
    process.once('SIGINT', () => backend.openStreams.close());
    holder.penstockBackend = backend;
  }
  return holder.penstockBackend;
}
