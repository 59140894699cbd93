import { createHash } from 'node:crypto';
import { newId } from '@penstock/platform';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Actor } from '../access/scope.ts';
import { setUpControlPlane, type TestOrganization } from '../testing/control-plane.ts';
import type { AuditFilter } from './audit-filter.ts';
import { exportAudit } from './export-audit.ts';
import { listAudit } from './list-audit.ts';
import { recordAudit } from './record-audit.ts';

const plane = setUpControlPlane();
const day = (date: number) => new Date(Date.UTC(2027, 0, date));
const orders = newId();
let tenant: TestOrganization;

/** Four rows, a day apart, after the row of the organization's creation. */
beforeAll(async () => {
  tenant = await plane.newTenant();
  const ada: Actor = { type: 'user', id: 'user-ada', label: 'Ada_1@example.com', source: 'web' };
  const key: Actor = { type: 'api-key', id: newId(), label: 'API key ada%1', source: 'api' };
  const rows = [
    [ada, 'cluster.create', orders, { name: 'orders, "eu"' }],
    [key, 'cluster.rename', orders, { name: '=1+1' }],
    [key, 'topic.create', 'events', { name: 'events' }],
    [ada, 'agent-key.create', newId(), { name: 'key' }],
  ] as const;
  for (const [index, [actor, action, targetId, after]] of rows.entries()) {
    await tenant.run(
      (scope) =>
        recordAudit(
          { ...scope, actor },
          { action, targetType: action === 'topic.create' ? 'topic' : 'cluster', targetId, after },
        ),
      day(index + 1),
    );
  }
});

const actionsOf = async (filter: AuditFilter, from: TestOrganization = tenant) =>
  (await from.run((scope) => listAudit(scope, { ...filter, limit: 10 }))).rows.map(({ action }) => action);

async function exported(
  input: AuditFilter & { format: 'ndjson' | 'csv' },
  from: TestOrganization = tenant,
): Promise<string> {
  let text = '';
  for await (const piece of exportAudit((work) => from.run(work), input)) {
    text += piece;
  }
  return text;
}

describe('a search', () => {
  test.each<[AuditFilter, string[]]>([
    [{ actor: 'ADA_1' }, ['agent-key.create', 'cluster.create']],
    [{ actor: 'ada%1' }, ['topic.create', 'cluster.rename']],
    [{ actor: 'user-ada' }, ['agent-key.create', 'cluster.create']],
    [{ action: 'cluster.rename' }, ['cluster.rename']],
    [{ action: 'cluster' }, ['cluster.rename', 'cluster.create']],
    [{ targetType: 'topic' }, ['topic.create']],
    [{ target: orders }, ['cluster.rename', 'cluster.create']],
    [{ source: 'api' }, ['topic.create', 'cluster.rename']],
    [{ from: day(2), to: day(4) }, ['topic.create', 'cluster.rename']],
    [{ source: 'api', action: 'cluster', from: day(1) }, ['cluster.rename']],
    [{ actor: '%' }, ['topic.create', 'cluster.rename']],
    [{ actor: 'nobody' }, []],
  ])('for %j finds exactly that, newest first', async (filter, expected) => {
    expect(await actionsOf(filter)).toEqual(expected);
  });

  test('continues after a cursor within the same filter', async () => {
    const first = await tenant.run((scope) => listAudit(scope, { action: 'cluster', limit: 1 }));
    const cursor = first.nextCursor ?? undefined;
    const second = await tenant.run((scope) => listAudit(scope, { action: 'cluster', limit: 1, cursor }));
    expect([...first.rows, ...second.rows].map(({ action }) => action)).toEqual(['cluster.rename', 'cluster.create']);
    expect(second.nextCursor).toBeNull();
  });
});

describe('an export', () => {
  test('can be verified with nothing but SHA-256', async () => {
    const lines = (await exported({ format: 'ndjson' })).trimEnd().split('\n');
    let previousHash = '';
    for (const [index, line] of lines.entries()) {
      const row = JSON.parse(line);
      expect(createHash('sha256').update(row.hashedText).digest('hex')).toBe(row.hash);
      const [seq, previous, id, , , , , , action] = JSON.parse(row.hashedText);
      expect([seq, previous, id, action]).toEqual([index + 1, previousHash, row.id, row.action]);
      previousHash = row.hash;
    }
    expect(lines).toHaveLength(5);
  });

  test('respects its filter and keeps each row verifiable', async () => {
    const lines = (await exported({ format: 'ndjson', source: 'api' })).trimEnd().split('\n');
    const rows = lines.map((line) => JSON.parse(line));
    expect(rows.map(({ seq, action }) => [seq, action])).toEqual([
      ['3', 'cluster.rename'],
      ['4', 'topic.create'],
    ]);
    for (const { hash, hashedText } of rows) {
      expect(createHash('sha256').update(hashedText).digest('hex')).toBe(hash);
    }
  });

  test('as CSV has a header, quotes values and holds no formula', async () => {
    const lines = (await exported({ format: 'csv', target: orders })).trimEnd().split('\r\n');
    expect(lines[0]).toMatch(/^seq,id,at,.*,previousHash,hash,hashedText$/);
    expect(lines[1]).toContain('"{""name"":""orders, \\""eu\\""""}"');
    expect(lines).toHaveLength(3);
    for (const line of lines) {
      expect(line).not.toMatch(/(^|,)[=+@-]/);
    }
  });

  test('is empty without rows and excludes other organizations', async () => {
    expect(await exported({ format: 'ndjson', actor: 'nobody' })).toBe('');
    const other = await plane.newTenant();
    const text = await exported({ format: 'ndjson' }, other);
    expect(text).not.toContain(tenant.organizationId);
    expect(text.trimEnd().split('\n')).toHaveLength(1);
  });
});
