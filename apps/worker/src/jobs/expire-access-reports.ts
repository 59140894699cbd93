// The job that deletes denied requests after an hour, and old uses of credentials.
import { expireAccess } from '@penstock/telemetry-store';
import type { Task } from 'graphile-worker';
import type { Pool } from 'pg';

export function expireAccessReportsJob(pool: Pool): Task {
  return () => expireAccess(pool, Date.now());
}
