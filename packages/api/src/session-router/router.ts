import { router } from '../trpc/trpc.ts';
import { getSession } from './get-session.ts';

export const sessionRouter = router({
  get: getSession,
});
