import { handleStripeWebhook } from '../../../../server/stripe-webhook';

export const dynamic = 'force-dynamic';
export const runtime = 'nodejs';

export { handleStripeWebhook as POST };
