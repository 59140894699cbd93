import { router } from '../trpc/trpc.ts';
import { getSecurity } from './get-security.ts';
import { listSessions } from './list-sessions.ts';
import { revokeSession } from './revoke-session.ts';

export const accountRouter = router({
  security: getSecurity,
  sessions: listSessions,
  revokeSession,
});
