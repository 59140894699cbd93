import { expect, test } from 'vitest';
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
