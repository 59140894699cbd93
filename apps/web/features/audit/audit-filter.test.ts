import { expect, test } from 'vitest';
import { type AuditFilter, auditParameters, fromLocalField, parseAuditFilter, toLocalField } from './audit-filter.ts';

test('every search survives a round trip through its URL', () => {
  const filters: AuditFilter[] = [
    {},
    { actor: 'ada@example.com' },
    { action: 'cluster', source: 'api' },
    { target: 'a b&c=d', from: '2026-11-01T00:00:00.000Z', to: '2026-11-21T15:04:00.000Z' },
  ];
  for (const filter of filters) {
    expect(parseAuditFilter(auditParameters(filter))).toEqual(filter);
  }
});

test.each(['', 'actor=', 'actor=%20', 'action=Cluster!', 'source=phone', 'from=yesterday&to=', 'unknown=1'])(
  'the invalid query “%s” applies no filter',
  (address) => {
    expect(parseAuditFilter(new URLSearchParams(address))).toEqual({});
  },
);

test('a time survives a round trip through a local time field', () => {
  const time = '2026-11-21T15:04:00.000Z';
  expect(toLocalField(time)).toMatch(/^2026-11-2[012]T\d{2}:\d{2}$/);
  expect(fromLocalField(toLocalField(time))).toBe(time);
  expect([toLocalField(undefined), fromLocalField('')]).toEqual(['', undefined]);
});
