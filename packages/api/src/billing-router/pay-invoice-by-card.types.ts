import { z } from 'zod';

export const payInvoiceByCardInput = z.object({ invoiceId: z.uuid() });
