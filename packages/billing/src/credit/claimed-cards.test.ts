// Organizations that came without credits and add a card.
import { setUpControlPlane } from '@penstock/clusters/testing';
import { expect, test } from 'vitest';
import { createPaymentWorld, type PaymentWorld } from '../payment/testing/payment-world.ts';
import { getSignUpCredits } from './grant-sign-up-credits.ts';
import { creditBalance } from './list-credit-entries.ts';

const plane = setUpControlPlane();
const creditsOf = ({ tenant }: PaymentWorld): Promise<string> => tenant.run(creditBalance);

test('grants credits only to the first organization with a card', async () => {
  const [first, second] = [await createPaymentWorld(plane), await createPaymentWorld(plane)];
  expect(await first.tenant.run(getSignUpCredits)).toEqual({ amountUsd: '400', isGranted: false });
  await first.addCard('4242');
  await second.addCard('4242');
  expect([await creditsOf(first), await creditsOf(second)]).toEqual(['400.00', '0.00']);
  await second.addCard('1881');
  expect(await creditsOf(second)).toBe('400.00');
});

test('a second card adds no credits and counts as used', async () => {
  const [first, second] = [await createPaymentWorld(plane), await createPaymentWorld(plane)];
  await first.addCard('0001');
  await first.addCard('0002');
  await second.addCard('0002');
  expect([await creditsOf(first), await creditsOf(second)]).toEqual(['400.00', '0.00']);
});
