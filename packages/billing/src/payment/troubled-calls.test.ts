// What our staff see of the outbox, what their retry does, and the credit notes that they issue.
import { HOUR_MS } from '@penstock/units';
import { expect, test } from 'vitest';
import { creditInvoice } from '../invoice/credit-invoice.ts';
import { getInvoice } from '../invoice/get-invoice.ts';
import { noFaults } from '../stripe/testing/index.ts';
import { refusalOf, setUpControlPlane } from '../testing/control-plane.ts';
import { createPaymentWorld, type PaymentWorld } from './testing/payment-world.ts';
import { readOutbox, retryFailedCalls } from './troubled-calls.ts';

const plane = setUpControlPlane();
const actor = { type: 'system', id: null, label: 'Operator', source: 'worker' } as const;

async function outboxOf({ tenant }: PaymentWorld) {
  const { calls } = await readOutbox(plane.database);
  return calls.filter(({ organization }) => organization.id === tenant.organizationId);
}

test('lists a refused call with its cause and sends all on retry', async () => {
  const world = await createPaymentWorld(plane);
  await world.addCard();
  const { id, number } = await world.issueInvoice(['10.00', '5.00']);
  const line = { subject: `${id}/line-2` };
  const { parameters } = await plane.database.stripeCall.findFirstOrThrow({ where: line });
  await plane.database.stripeCall.updateMany({
    where: line,
    data: { parameters: { ...(parameters as object), amountCents: 499 } },
  });
  await world.send();
  expect(await outboxOf(world)).toMatchObject([
    { operation: 'invoice.finalize', invoiceNumber: number, status: 'failed', attempts: 1, heldUp: 1 },
  ]);
  expect((await outboxOf(world))[0]?.error).toContain('sums to 1499 cents and ours to 1500');

  for (const item of world.standIn.state.items.values()) {
    if (item.amount === 499) {
      item.amount = 500;
    }
  }
  const call = (await outboxOf(world))[0]?.id ?? '';
  const options = { actor, now: world.now };
  expect(await retryFailedCalls(plane.database, call, options)).toBe(1);
  expect(await refusalOf(retryFailedCalls(plane.database, call, options))).toBe('call_not_failed');
  expect(await refusalOf(retryFailedCalls(plane.database, 'x', options))).toBe('call_not_failed');
  await world.send();
  expect(world.standIn.state.charges.map(({ amount }) => amount)).toEqual([1500]);
  expect(await outboxOf(world)).toEqual([]);
  expect(await retryFailedCalls(plane.database, 'all', options)).toBe(0);
});

test('lists pending retries but not abandoned pages', async () => {
  const world = await createPaymentWorld(plane);
  await world.addCard();
  const { number } = await world.issueInvoice(['10.00']);
  world.standIn.faults = { ...noFaults, limited: 1 };
  await world.send();
  expect(await outboxOf(world)).toMatchObject([
    { operation: 'invoice.create', invoiceNumber: number, status: 'waiting', attempts: 1, heldUp: 3 },
  ]);
  expect((await outboxOf(world))[0]?.nextAttemptAt?.getTime()).toBeGreaterThan(world.now.getTime());
  world.standIn.faults = noFaults;
  world.advance(HOUR_MS);
  await world.send();
  expect(await outboxOf(world)).toEqual([]);
});

test('a credit note names its invoice and is issued only once', async () => {
  const world = await createPaymentWorld(plane);
  const { id, number } = await world.issueInvoice(['100.00'], 'transfer');
  const order = {
    invoiceNumber: number,
    amountUsd: '30',
    reason: 'Writes were refused for an hour.',
    isRepeated: false,
  };
  const options = { actor, now: world.now, settings: { webUrl: undefined } };
  const note = await creditInvoice(plane.database, order, options);
  expect(note).toMatchObject({ amountUsd: '30.00', reducedUsd: '30.00', creditedUsd: '0.00', openUsd: '70.00' });
  expect(await refusalOf(creditInvoice(plane.database, { ...order, amountUsd: '30.00' }, options))).toBe(
    'credit_note_repeated',
  );
  await creditInvoice(plane.database, { ...order, isRepeated: true }, options);
  const rest = await creditInvoice(plane.database, { ...order, amountUsd: undefined }, options);
  expect(rest).toMatchObject({ amountUsd: '40.00', openUsd: '0.00' });
  expect(await refusalOf(creditInvoice(plane.database, { ...order, invoiceNumber: note.number }, options))).toBe(
    'invoice_not_found',
  );
  const shown = await world.tenant.run((scope) => getInvoice(scope, { invoiceId: id }));
  expect(shown).toMatchObject({ status: 'paid', amountDueUsd: '0.00' });
  expect(shown.creditNotes).toHaveLength(3);
});
