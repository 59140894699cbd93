// The consequences of an unpaid invoice, day by day, and how they end.
import { createCluster } from '@penstock/clusters';
import { DAY_MS } from '@penstock/units';
import { describe, expect, test } from 'vitest';
import { DECLINING_LAST4 } from '../stripe/testing/index.ts';
import { newClusterInput, refusalOf, setUpControlPlane } from '../testing/control-plane.ts';
import { assertMayCreateCluster } from './assert-may-create-cluster.ts';
import { dueStep, standingOf } from './dunning-rules.ts';
import { getBillingAccount } from './get-billing-account.ts';
import { recordTransfer } from './record-transfer.ts';
import { createPaymentWorld, type PaymentWorld } from './testing/payment-world.ts';

const plane = setUpControlPlane();
const day0 = new Date('2026-12-02T00:00:00Z');
const after = (days: number): Date => new Date(day0.getTime() + days * DAY_MS);

test.each([
  [0, 'good'],
  [13.99, 'good'],
  [14, 'past_due'],
  [20.99, 'past_due'],
  [21, 'restricted'],
  [400, 'restricted'],
])('%d days after the failure the standing is %s', (days, standing) => {
  expect(standingOf(day0, after(days))).toBe(standing);
});

test.each([
  [0, 0, 0],
  [2.9, 1, undefined],
  [3, 1, 1],
  [30, 1, 3],
  [30, 4, undefined],
])('%d days after failure, with %i mails sent, step %s is due', (days, mailed, step) => {
  expect(dueStep(day0, mailed, after(days))).toBe(step);
});

/** One day of the worker: calls, dunning, the calls that it queued, and dunning again. */
async function liveThrough(world: PaymentWorld, days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    await world.dun();
    await world.send();
    await world.dun();
    world.advance(DAY_MS);
  }
}

describe('a card that is declined', () => {
  test('sends four mails and blocks new clusters until it is paid', async () => {
    const world = await createPaymentWorld(plane);
    await world.addCard(DECLINING_LAST4);
    const cluster = await plane.newCluster(world.tenant);
    const { id, number } = await world.issueInvoice(['80.00']);
    await world.send();
    await liveThrough(world, 13);
    expect(await world.standing()).toBe('good');
    await liveThrough(world, 2);
    expect(await world.standing()).toBe('past_due');
    await liveThrough(world, 8);
    expect(await world.standing()).toBe('restricted');
    expect((await world.mails()).map((mail) => mail.subject)).toEqual([
      `Payment failed for invoice ${number}`,
      `Reminder: invoice ${number} is unpaid`,
      `Reminder: invoice ${number} is unpaid`,
      `Last reminder: invoice ${number} is unpaid`,
    ]);
    expect((await world.mails())[0]?.text).toContain('insufficient funds');
    expect(
      await refusalOf(
        world.tenant.run((scope) => createCluster(scope, newClusterInput('more'), assertMayCreateCluster)),
      ),
    ).toBe('payment_overdue');
    expect(await plane.database.virtualCluster.findUnique({ where: { id: cluster.id } })).toMatchObject({
      deletedAt: null,
    });
    const account = await world.tenant.run((scope) => getBillingAccount(scope, { isStripeConfigured: true }));
    expect(account).toMatchObject({
      standing: 'restricted',
      failedPayments: [{ invoiceId: id, reason: 'Your card has insufficient funds.' }],
    });

    await world.addCard();
    await world.send();
    expect(await plane.database.invoice.findUnique({ where: { id } })).toMatchObject({ status: 'paid' });
    expect(await world.standing()).toBe('good');
    await world.tenant.run((scope) => createCluster(scope, newClusterInput('more'), assertMayCreateCluster));
    expect(world.standIn.state.charges.map((charge) => charge.amount)).toEqual([8000]);
    expect(world.standIn.violations).toEqual([]);
  });
});

describe('an invoice by transfer', () => {
  test('is followed up when overdue and settled once per reference', async () => {
    const world = await createPaymentWorld(plane);
    const { id, number } = await world.issueInvoice(['120.50'], 'transfer');
    await liveThrough(world, 29);
    expect(await world.mails()).toEqual([]);
    await liveThrough(world, 2);
    expect((await world.mails()).map((mail) => mail.subject)).toEqual([`Invoice ${number} is overdue`]);
    await liveThrough(world, 21);
    expect(await world.standing()).toBe('restricted');

    const actor = { type: 'system', id: null, label: 'Operator', source: 'worker' } as const;
    const record = (reference: string, amountUsd: string) =>
      recordTransfer(plane.database, { invoiceNumber: number, reference, amountUsd }, { actor, now: world.now });
    const reference = `bank-${id}`;
    expect(await record(`${reference}-a`, '20.50')).toMatchObject({
      isNew: true,
      status: 'open',
      amountPaidUsd: '20.50',
    });
    expect(await world.standing()).toBe('restricted');
    expect(await record(`${reference}-b`, '100.00')).toMatchObject({
      isNew: true,
      status: 'paid',
      amountPaidUsd: '120.50',
    });
    expect(await record(`${reference}-b`, '100.00')).toMatchObject({ isNew: false, amountPaidUsd: '120.50' });
    expect(await world.standing()).toBe('good');
    expect(await refusalOf(record('x', '0'))).toBe('amount_invalid');
    expect(await refusalOf(record('x', '1.001'))).toBe('amount_invalid');
    expect(await refusalOf(record(' ', '1'))).toBe('reference_invalid');
  });
});
