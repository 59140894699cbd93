import { describe, expect, it } from 'vitest';
import { safeNextPath } from './verified-url.ts';

describe('safeNextPath', () => {
  it('keeps a path of this site', () => {
    expect(safeNextPath('/o/acme/clusters')).toBe('/o/acme/clusters');
  });

  it.each([undefined, '', 'https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'never leads to another site: %j',
    (next) => {
      expect(safeNextPath(next)).toBe('/app');
    },
  );
});
