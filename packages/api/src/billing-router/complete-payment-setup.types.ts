import { z } from 'zod';

/** As Stripe put it into the address of the page. */
export const completePaymentSetupInput = z.object({ sessionId: z.string().min(1).max(255) });
