// Who gets the credits of a new organization: a person once, a payment method once, a company's domain once.
import { claimCreditsForDomain, creditBalance } from '@penstock/billing';
import { setUpControlPlane } from '@penstock/billing/testing/control-plane';
import { newId } from '@penstock/platform';
import { inTenant, inTransaction } from '@penstock/tenancy';
import { expect, test } from 'vitest';
import { createOrganization } from './create-organization.ts';

const plane = setUpControlPlane();

async function newPerson(email: string): Promise<{ id: string; email: string }> {
  const id = newId();
  await plane.database.user.create({ data: { id, email, name: 'Test', emailVerified: true } });
  return { id, email };
}

function create(person: { id: string; email: string }): Promise<{ id: string }> {
  const actor = { type: 'user', id: person.id, label: person.email, source: 'web' } as const;
  return inTransaction(plane.database, (tx) =>
    createOrganization({ tx, actor, now: new Date() }, { name: 'Acme', ownerId: person.id }),
  );
}

const actor = { type: 'system', id: null, label: 'Test', source: 'seed' } as const;
const creditsOf = (organizationId: string): Promise<string> =>
  inTenant(plane.database, organizationId, (tx) => creditBalance({ tx, organizationId, actor, now: new Date() }));

function verifyDomain(organizationId: string, domain: string): Promise<boolean> {
  return inTenant(plane.database, organizationId, (tx) =>
    claimCreditsForDomain({ tx, organizationId, now: new Date() }, domain),
  );
}

test('one person’s organizations get credits once', async () => {
  const person = await newPerson(`${newId()}@corp.example`);
  const made = await Promise.all(Array.from({ length: 20 }, () => create(person)));
  const credits = await Promise.all(made.map(({ id }) => creditsOf(id)));
  expect(credits.filter((balance) => balance === '400.00')).toHaveLength(1);
  expect(credits.filter((balance) => balance === '0.00')).toHaveLength(19);
});

test('an address with a tag or with dots is the same person', async () => {
  const name = `ada${newId().replaceAll('-', '')}`;
  const dotted = `${name.slice(0, 5)}.${name.slice(5)}`;
  const credits: string[] = [];
  for (const email of [`${name}@gmail.com`, `${dotted}@gmail.com`, `${name}+2@gmail.com`, `${dotted}@googlemail.com`]) {
    credits.push(await creditsOf((await create(await newPerson(email))).id));
  }
  expect(credits).toEqual(['400.00', '0.00', '0.00', '0.00']);
});

test('a person’s second account gets no credits', async () => {
  const email = `${newId()}@corp.example`;
  const person = await newPerson(email);
  const { id } = await create(person);
  await plane.database.member.deleteMany({ where: { organizationId: id } });
  await plane.database.user.delete({ where: { id: person.id } });
  expect(await creditsOf((await create(await newPerson(email))).id)).toBe('0.00');
});

// Subdomains included.
test('another organization gets credits once per company domain', async () => {
  const person = await newPerson(`${newId()}@corp.example`);
  const [first, second, third] = [await create(person), await create(person), await create(person)];
  const domain = `company-${newId()}.co.uk`;
  expect(await verifyDomain(second.id, domain)).toBe(true);
  expect(await verifyDomain(third.id, `eu.${domain}`)).toBe(false);
  expect(await verifyDomain(first.id, `other-${domain}`)).toBe(false);
  expect(await Promise.all([first, second, third].map(({ id }) => creditsOf(id)))).toEqual([
    '400.00',
    '400.00',
    '0.00',
  ]);
});
