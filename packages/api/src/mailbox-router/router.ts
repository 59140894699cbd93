import { router } from '../trpc/trpc.ts';
import { listMailbox } from './list-mailbox.ts';

export const mailboxRouter = router({ list: listMailbox });
