import { router } from '../trpc/trpc.ts';
import { resetOffsets } from './reset-offsets.ts';

export const groupRouter = router({ resetOffsets });
