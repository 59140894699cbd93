import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { renderSchema } from '../scripts/render-schema.ts';

test('the generated types match the current document (else: pnpm --filter @penstock/api-client generate)', async () => {
  const kept = await readFile(new URL('./generated/schema.ts', import.meta.url), 'utf8');
  expect(kept === (await renderSchema())).toBe(true);
});
