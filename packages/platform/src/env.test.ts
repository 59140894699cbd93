import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { databaseUrlVariable, flagVariable, httpUrlVariable, parseEnv, portVariable } from './env.ts';

const shape = { DATABASE_URL: databaseUrlVariable, PORT: portVariable.default(3000), EMBEDDED: flagVariable };

test('valid variables become typed values or defaults', () => {
  expect(parseEnv(shape, { DATABASE_URL: 'postgresql://localhost/x', PORT: '', EMBEDDED: '1' })).toEqual({
    DATABASE_URL: 'postgresql://localhost/x',
    PORT: 3000,
    EMBEDDED: true,
  });
});

test('the error names every invalid variable and shows no value', () => {
  const bad = { PORT: 'seven-thousand', EMBEDDED: 'maybe' };
  expect(() => parseEnv(shape, bad)).toThrow(
    /DATABASE_URL is not set; PORT: expected a port number; EMBEDDED: expected/,
  );
  expect(() => parseEnv(shape, bad)).not.toThrow(/seven-thousand|maybe/);
});

// So that paths can be appended.
test('a base URL loses its trailing slash', () => {
  expect(parseEnv({ URL: httpUrlVariable }, { URL: 'http://localhost:3000/' })).toEqual({
    URL: 'http://localhost:3000',
  });
});

describe('a secret in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-env-'));
  const file = (text: string): string => {
    const path = join(folder, 'secret');
    writeFileSync(path, text);
    return path;
  };
  const shape = { DATABASE_URL: databaseUrlVariable, PORT: portVariable.default(3000) };

  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(['postgresql://db/x', 'postgresql://db/x\n', 'postgresql://db/x\r\n'])('is its text: %j', (text) => {
    expect(parseEnv(shape, { DATABASE_URL_FILE: file(text) })).toEqual({
      DATABASE_URL: 'postgresql://db/x',
      PORT: 3000,
    });
  });

  test('is checked like the variable and not shown', () => {
    const read = () => parseEnv(shape, { DATABASE_URL_FILE: file('mysql://hidden') });
    expect(read).toThrow('DATABASE_URL: expected a URL that starts with postgresql://');
    expect(read).not.toThrow('hidden');
  });

  test.each([
    [() => ({ DATABASE_URL_FILE: join(folder, 'missing') }), 'DATABASE_URL_FILE: ENOENT'],
    [() => ({ DATABASE_URL_FILE: file('\n') }), 'is empty'],
    [
      () => ({ DATABASE_URL: 'postgresql://db/x', DATABASE_URL_FILE: file('postgresql://db/y') }),
      'DATABASE_URL and DATABASE_URL_FILE are both set',
    ],
  ])('must be readable, and the only value', (environment, fault) => {
    expect(() => parseEnv(shape, environment())).toThrow(fault);
  });

  test('is only for variables that are secrets', () => {
    expect(parseEnv({ PORT: portVariable.default(3000) }, { PORT_FILE: file('3001') })).toEqual({ PORT: 3000 });
  });
});
