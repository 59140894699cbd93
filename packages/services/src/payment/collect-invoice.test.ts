// From a final invoice to money, against the stand-in, on a real database.
import { decliningLast4, succeedingLast4 } from '@penstock/billing/stripe/testing';
import { describe, expect, test } from 'vitest';
import { setUpControlPlane } from '../testing/control-plane.ts';
import { createPaymentWorld } from './testing/payment-world.ts';

const plane = setUpControlPlane();

test('an invoice is raised line by line to the cent, charged once, and booked', async () => {
  const world = await createPaymentWorld(plane);
  await world.addCard();
  const { id, number } = await world.issueInvoice(['100.01', '0.02', '-50.00']);
  await world.send();
  const [raised] = [...world.standIn.state.invoices.values()];
  expect(raised).toMatchObject({ number, status: 'paid', amount_paid: 5003, metadata: { penstock_invoice: id } });
  expect(raised === undefined ? [] : world.standIn.state.itemsOf(raised.id).map((item) => item.amount)).toEqual([
    10001, 2, -5000,
  ]);
  expect(world.standIn.state.charges).toMatchObject([{ amount: 5003 }]);
  expect(await plane.database.invoice.findUnique({ where: { id } })).toMatchObject({
    status: 'paid',
    stripeInvoiceId: raised?.id,
  });
  expect(world.standIn.violations).toEqual([]);
});
void [decliningLast4, succeedingLast4, describe];
