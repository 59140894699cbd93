// Sends a test event, so that customers can try out their receiver.
import { AppError } from '@penstock/platform';
import type { Scope } from '../access/scope.ts';
import { queueWebhook } from './queue-webhook.ts';

/** Tests that may be queued at the same time. Prevents using the button to flood a receiver. */
const MAX_WAITING_TESTS = 3;

/** @throws AppError `webhook_missing`, `webhook_tests_waiting` */
export async function sendTestWebhook(scope: Scope): Promise<{ deliveryId: string }> {
  const { tx, organizationId } = scope;
  const account = await tx.billingAccount.findUnique({ where: { organizationId }, select: { webhookUrl: true } });
  if (account?.webhookUrl == null) {
    throw new AppError({
      kind: 'refused',
      code: 'webhook_missing',
      message: 'No webhook is configured.',
      remedy: 'Save a URL first.',
    });
  }
  const waiting = await tx.webhookDelivery.count({
    where: { organizationId, event: 'webhook.test', deliveredAt: null, failedAt: null },
  });
  if (waiting >= MAX_WAITING_TESTS) {
    throw new AppError({
      kind: 'rate-limited',
      code: 'webhook_tests_waiting',
      message: `${waiting} tests are waiting to be delivered.`,
      remedy: 'Wait until they are delivered or have failed.',
    });
  }
  return { deliveryId: await queueWebhook(scope, { url: account.webhookUrl, type: 'webhook.test', data: {} }) };
}
