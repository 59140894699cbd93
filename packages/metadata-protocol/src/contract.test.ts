import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const packageFolder = dirname(dirname(fileURLToPath(import.meta.url)));

test('the contract passes the linter', () => {
  const buf = join(packageFolder, 'node_modules/.bin/buf');
  expect(() => execFileSync(buf, ['lint'], { cwd: packageFolder })).not.toThrow();
});
