import { z } from 'zod';

/** `cursor`: `nextCursor` of the previous page. */
export const listInvoicesInput = z.object({ cursor: z.uuid().optional() });
