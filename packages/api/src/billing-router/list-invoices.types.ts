import { z } from 'zod';

/** `cursor`: `nextCursor` of the page before. */
export const listInvoicesInput = z.object({ cursor: z.uuid().optional() });
