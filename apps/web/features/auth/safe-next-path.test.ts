import { describe, expect, it } from 'vitest';
import { safeNextPath } from './safe-next-path.ts';

describe('safeNextPath', () => {
  it.each(['/o/acme/clusters', '/app/audit?action=cluster.rename&actor=ada%40example.com', '/app?from=1&to=2#chart'])(
    'keeps a path of this site with its query: %s',
    (next) => {
      expect(safeNextPath(next)).toBe(next);
    },
  );

  it.each([
    undefined,
    '',
    'app/audit',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n\\evil.example',
    '/.//evil.example',
    '/app/..//evil.example',
    'javascript:alert(1)',
  ])('never leads to another site: %j', (next) => {
    expect(safeNextPath(next)).toBe('/app');
  });

  it('drops a path that is longer than a sign-in carries', () => {
    expect(safeNextPath(`/app?q=${'x'.repeat(2_000)}`)).toBe('/app');
  });
});
