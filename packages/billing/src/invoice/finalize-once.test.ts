// A month is closed once and invoice numbers have no gaps, despite killed and concurrent workers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createPrismaClient } from '@penstock/database/client';
import { expect, test } from 'vitest';
import { setUpControlPlane, type TestOrganization } from '../testing/control-plane.ts';
import { addUsage, balancesOf, finalize, GIB } from './testing/billing-fixture.ts';

const plane = setUpControlPlane();
const node = fileURLToPath(new URL('../../../../node_modules/node/bin/node', import.meta.url));
const killable = fileURLToPath(new URL('testing/finalize-to-point.ts', import.meta.url));

async function tenantWithUsage(month: string): Promise<TestOrganization> {
  const tenant = await plane.newTenant();
  const { id } = await plane.newCluster(tenant);
  await addUsage(plane.database, tenant, id, `${month}-03T00:00:00Z`, { bytes: 90_000n * GIB });
  return tenant;
}

/** The invoice numbers of a year, oldest first. */
async function numbersOf(year: number): Promise<string[]> {
  const rows = await plane.database.invoice.findMany({
    where: { number: { startsWith: `PS-${year}-` } },
    orderBy: { number: 'asc' },
    select: { number: true },
  });
  return rows.map(({ number }) => number);
}

function consecutive(year: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `PS-${year}-${String(index + 1).padStart(6, '0')}`);
}

async function killAt(point: string, tenant: TestOrganization, month: string): Promise<void> {
  const child = spawn(
    node,
    ['--disable-warning=ExperimentalWarning', killable, plane.databaseUrl, tenant.organizationId, month, point],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
    },
  );
  const [text] = await once(child.stdout, 'data');
  expect(String(text)).toBe(`reached ${point}\n`);
  child.kill('SIGKILL');
  await once(child, 'exit');
}

test('a killed worker leaves a whole invoice or none', async () => {
  const points = ['account-locked', 'invoice-written', 'booked', 'announced', 'committed'];
  for (const [index, point] of points.entries()) {
    const tenant = await tenantWithUsage('2026-11');
    await killAt(`finalize: ${point}`, tenant, '2026-11');
    const where = { organizationId: tenant.organizationId };
    const left = await plane.database.invoice.count({ where });
    expect([point, left]).toEqual([point, point === 'committed' ? 1 : 0]);
    const result = await finalize(plane.database, tenant, '2026-11');
    expect(result.outcome).toBe(point === 'committed' ? 'already issued' : 'issued');
    expect(await plane.database.invoice.count({ where })).toBe(1);
    expect(await balancesOf(plane.database, tenant.organizationId)).toMatchObject({
      credit: '0.00',
      receivable: '0.96',
      revenue: '-400.96',
    });
    expect(await plane.database.auditLog.count({ where: { ...where, action: 'invoice.issue' } })).toBe(1);
    expect(await numbersOf(2026)).toEqual(consecutive(2026, index + 1));
  }
});

test('concurrent workers issue one invoice per month', async () => {
  const tenant = await tenantWithUsage('2027-11');
  const workers = [1, 2, 3].map(() => createPrismaClient(plane.databaseUrl, 2));
  try {
    const results = await Promise.all(workers.map((database) => finalize(database, tenant, '2027-11')));
    expect(results.map(({ outcome }) => outcome).sort()).toEqual(['already issued', 'already issued', 'issued']);
    expect(await numbersOf(2027)).toEqual(consecutive(2027, 1));
    expect(await plane.database.ledgerTransaction.count({ where: { organizationId: tenant.organizationId } })).toBe(2);
  } finally {
    await Promise.all(workers.map((database) => database.$disconnect()));
  }
});

test('concurrent workers number invoices without gaps', async () => {
  const tenants: TestOrganization[] = [];
  for (let count = 0; count < 8; count += 1) {
    tenants.push(await tenantWithUsage('2028-10'));
  }
  const workers = [1, 2].map(() => createPrismaClient(plane.databaseUrl, 4));
  try {
    const jobs = workers.flatMap((database) => tenants.map((tenant) => finalize(database, tenant, '2028-10')));
    const results = await Promise.all(jobs);
    expect(results.filter(({ outcome }) => outcome === 'issued')).toHaveLength(tenants.length);
    expect(await numbersOf(2028)).toEqual(consecutive(2028, tenants.length));
  } finally {
    await Promise.all(workers.map((database) => database.$disconnect()));
  }
});
