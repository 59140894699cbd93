import { z } from 'zod';

export const getInvoiceInput = z.object({ invoiceId: z.string().max(100) });
