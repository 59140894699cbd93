// The double-entry ledger on a real PostgreSQL: debits equal credits, credits never go below zero, each event is booked
// once.
import { newId } from '@penstock/platform';
import { usd } from '@penstock/pricing';
import { inTransaction } from '@penstock/tenancy';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bookPayment } from '../invoice/book-payment.ts';
import { getInvoice } from '../invoice/get-invoice.ts';
import { issueCreditNote } from '../invoice/issue-credit-note.ts';
import { addUsage, balancesOf, finalize, GIB, invoiceOf } from '../invoice/testing/billing-fixture.ts';
import { settings } from '../invoice/testing/billing-settings.ts';
import { creditGrant } from '../ledger/booking.ts';
import { refusalOf, setUpControlPlane, type TestOrganization } from '../testing/control-plane.ts';
import { creditBalance } from './list-credit-entries.ts';
import { recordBooking } from './record-booking.ts';

const plane = setUpControlPlane();
const now = new Date('2026-12-05T00:00:00Z');

/** An invoice of $400.96, of which credits cover $400. */
async function tenantWithInvoice() {
  const tenant = await plane.newTenant();
  const { id } = await plane.newCluster(tenant);
  await addUsage(plane.database, tenant, id, '2026-11-03T00:00:00Z', { bytes: 90_000n * GIB });
  return { tenant, clusterId: id, invoice: await invoiceOf(plane, tenant, '2026-11') };
}

function pay(tenant: TestOrganization, invoiceId: string, amountUsd: string, reference = newId()) {
  const { organizationId } = tenant;
  return inTransaction(plane.database, (tx) =>
    bookPayment(tx, { organizationId, invoiceId, amountUsd, reference, now }),
  );
}

const note = (
  tenant: TestOrganization,
  invoiceId: string,
  amountUsd: string,
  reason = 'Writes were refused for an hour.',
) => tenant.run((scope) => issueCreditNote(scope, { invoiceId, amountUsd, reason }, settings), now);

const read = (tenant: TestOrganization, invoiceId: string) => tenant.run((scope) => getInvoice(scope, { invoiceId }));

/** The unbalanced transactions of the database, as PostgreSQL sums them. */
async function unbalanced(): Promise<unknown[]> {
  return plane.database.$queryRaw`
    SELECT transaction_id FROM ledger_posting GROUP BY transaction_id HAVING sum(amount_usd) <> 0`;
}

describe('a payment', () => {
  test('settles the invoice once if it covers the open amount', async () => {
    const { tenant, invoice } = await tenantWithInvoice();
    expect(await pay(tenant, invoice.id, '0.96', 'payment:one')).toEqual({ isNew: true, isInvoicePaid: true });
    expect(await pay(tenant, invoice.id, '0.96', 'payment:one')).toEqual({ isNew: false, isInvoicePaid: true });
    expect(await read(tenant, invoice.id)).toMatchObject({
      status: 'paid',
      amountPaidUsd: '0.96',
      amountDueUsd: '0.00',
    });
    expect(await balancesOf(plane.database, tenant.organizationId)).toMatchObject({ cash: '0.96', receivable: '0.00' });
  });

  test('leaves the rest open if it is partial', async () => {
    const { tenant, invoice } = await tenantWithInvoice();
    expect(await pay(tenant, invoice.id, '0.50')).toEqual({ isNew: true, isInvoicePaid: false });
    expect(await read(tenant, invoice.id)).toMatchObject({ status: 'open', amountDueUsd: '0.46' });
  });

  test('turns any excess into credits', async () => {
    const { tenant, invoice } = await tenantWithInvoice();
    await pay(tenant, invoice.id, '0.96');
    await pay(tenant, invoice.id, '0.96');
    expect(await tenant.run(creditBalance)).toBe('0.96');
    expect(await unbalanced()).toEqual([]);
  });
});

describe('a credit note', () => {
  test('reduces the open amount, then returns the rest as credits', async () => {
    const { tenant, invoice } = await tenantWithInvoice();
    const issued = await note(tenant, invoice.id, '10.96');
    expect(issued).toMatchObject({ kind: 'credit_note', totalUsd: '-10.96', status: 'issued', amountDueUsd: '0.00' });
    expect(issued.number).toMatch(/^CN-2026-\d{6}$/);
    expect(await tenant.run(creditBalance)).toBe('10.00');
    const corrected = await read(tenant, invoice.id);
    expect(corrected).toMatchObject({ status: 'paid', totalUsd: '0.96', amountDueUsd: '0.00', amountPaidUsd: '0.00' });
    expect(corrected.creditNotes.map(({ number }) => number)).toEqual([issued.number]);
    expect((await read(tenant, issued.id)).corrects).toEqual({ id: invoice.id, number: invoice.number });
  });

  test('smaller than the open amount leaves the rest to be paid', async () => {
    const { tenant, invoice } = await tenantWithInvoice();
    await note(tenant, invoice.id, '0.90');
    expect(await read(tenant, invoice.id)).toMatchObject({ status: 'open', amountDueUsd: '0.06' });
    expect(await pay(tenant, invoice.id, '0.06')).toMatchObject({ isInvoicePaid: true });
  });

  test('cannot exceed the invoice or correct a credit note', async () => {
    const { tenant, invoice } = await tenantWithInvoice();
    const first = await note(tenant, invoice.id, '400.00');
    expect(await refusalOf(note(tenant, invoice.id, '0.97'))).toBe('credit_note_too_high');
    expect(await refusalOf(note(tenant, first.id, '0.01'))).toBe('credit_note_too_high');
    await note(tenant, invoice.id, '0.96');
    expect(await unbalanced()).toEqual([]);
  });

  test('is refused for anything but dollars and cents above zero', async () => {
    const { tenant, invoice } = await tenantWithInvoice();
    for (const amount of ['0', '-1', '1.234', 'ten', '1e3', '']) {
      expect([amount, await refusalOf(note(tenant, invoice.id, amount))]).toEqual([amount, 'amount_invalid']);
    }
  });

  test('needs a reason and reaches only the organization’s invoices', async () => {
    const { tenant, invoice } = await tenantWithInvoice();
    expect(await refusalOf(note(tenant, invoice.id, '1.00', '  '))).toBe('reason_missing');
    expect(await refusalOf(note(await plane.newTenant(), invoice.id, '1.00'))).toBe('invoice_not_found');
  });
});

describe('the database', () => {
  test('commits no transaction whose debits and credits differ', async () => {
    const { organizationId } = await plane.newTenant();
    const unequal = inTransaction(plane.database, async (tx) => {
      const id = newId();
      await tx.ledgerTransaction.create({
        data: { id, organizationId, kind: 'payment', reference: id, description: 'Half of it', at: now },
      });
      await tx.ledgerPosting.create({
        data: { transactionId: id, position: 1, organizationId, account: 'cash', amountUsd: '1' },
      });
    });
    await expect(unequal).rejects.toThrow(/do not sum to zero/);
  });

  test('refuses to spend missing credits even without the lock', async () => {
    const { organizationId } = await plane.newTenant();
    const spend = () =>
      inTransaction(plane.database, async (tx) => {
        const id = newId();
        await tx.ledgerTransaction.create({
          data: { id, organizationId, kind: 'invoice', reference: id, description: 'Spends', at: now },
        });
        await tx.ledgerPosting.createMany({
          data: [
            { transactionId: id, position: 1, organizationId, account: 'credit', amountUsd: '150' },
            { transactionId: id, position: 2, organizationId, account: 'revenue', amountUsd: '-150' },
          ],
        });
      });
    const results = await Promise.allSettled([spend(), spend(), spend(), spend()]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(await balancesOf(plane.database, organizationId)).toMatchObject({ credit: '-100.00' });
  });
});

/** A random action on an organization's money, in dollars and cents. */
type Act = { act: 'grant' | 'pay' | 'note'; cents: number } | { act: 'close'; gib: number };

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ act: fc.constantFrom('grant', 'pay', 'note'), cents: fc.integer({ min: 1, max: 60_000 }) }),
  fc.record({ act: fc.constant('close' as const), gib: fc.integer({ min: 0, max: 120_000 }) }),
);

async function perform(
  tenant: TestOrganization,
  clusterId: string,
  what: Act,
  month: string,
  invoiceId: string,
): Promise<void> {
  if (what.act === 'close') {
    await addUsage(plane.database, tenant, clusterId, `${month}-02T00:00:00Z`, { bytes: BigInt(what.gib) * GIB });
    await finalize(plane.database, tenant, month);
    return;
  }
  const amountUsd = (what.cents / 100).toFixed(2);
  if (what.act === 'grant') {
    const { organizationId } = tenant;
    const reference = `grant:test:${newId()}`;
    const grant = creditGrant({ reference, description: 'A gift', amountUsd: usd(amountUsd) });
    await inTransaction(plane.database, (tx) => recordBooking({ tx, organizationId, now }, grant));
  } else if (what.act === 'pay') {
    await pay(tenant, invoiceId, amountUsd);
  } else {
    const refused = await note(tenant, invoiceId, amountUsd).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (refused !== undefined) {
      expect(refused).toMatchObject({ code: 'credit_note_too_high' });
    }
  }
}

// Debits equal credits, and credits never go below zero.
test('balances its books under concurrent actions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 6 }), async (acts) => {
      const { tenant, clusterId, invoice } = await tenantWithInvoice();
      await Promise.all(
        acts.map((what, index) =>
          perform(tenant, clusterId, what, `2027-${String(index + 1).padStart(2, '0')}`, invoice.id),
        ),
      );
      expect(await unbalanced()).toEqual([]);
      expect(Number(await tenant.run(creditBalance))).toBeGreaterThanOrEqual(0);
      const balances = await balancesOf(plane.database, tenant.organizationId);
      expect(
        Object.values(balances)
          .reduce((sum, balance) => sum.plus(usd(balance)), usd('0'))
          .toFixed(2),
      ).toBe('0.00');
    }),
    { numRuns: 12 },
  );
});
