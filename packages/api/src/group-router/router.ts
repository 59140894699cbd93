import { router } from '../trpc/trpc.ts';
import { deleteGroup } from './delete-group.ts';
import { resetOffsets } from './reset-offsets.ts';

export const groupRouter = router({ resetOffsets, delete: deleteGroup });
