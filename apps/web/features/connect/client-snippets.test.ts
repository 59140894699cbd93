import { describe, expect, test } from 'vitest';
import { type ClientConnection, clientSnippets, saslMechanisms } from './client-snippets.ts';

const open: ClientConnection = { bootstrap: '10.0.0.7:9092', isTls: false, signIn: null };
const connections: ClientConnection[] = [open, { ...open, isTls: true }].flatMap((connection) => [
  connection,
  ...saslMechanisms.map((mechanism) => ({ ...connection, signIn: { user: 'billing', mechanism } })),
]);
const textOf = (connection: ClientConnection, id: string): string =>
  clientSnippets(connection).find((snippet) => snippet.id === id)?.code ?? '';

describe('a client snippet', () => {
  test('exists for each documented client with one address', () => {
    for (const connection of connections) {
      const snippets = clientSnippets(connection);
      expect(snippets).toHaveLength(8);
      for (const { code } of snippets) {
        expect(code).toContain('10.0.0.7:9092');
        expect(code).not.toContain('localhost');
      }
    }
  });

  test('signs in with a password from the environment', () => {
    for (const connection of connections) {
      for (const { id, code } of clientSnippets(connection)) {
        expect(code.includes('KAFKA_PASSWORD'), id).toBe(connection.signIn !== null);
        expect(code.includes('billing'), id).toBe(connection.signIn !== null);
      }
    }
  });

  test('uses TLS for a listener that has it, and never otherwise', () => {
    for (const connection of connections) {
      for (const { id, code } of clientSnippets(connection)) {
        expect(/SSL|ssl: true|DialTLS\(\)|TLS\.Enable = true/.test(code), id).toBe(connection.isTls);
      }
    }
  });

  test('has no security settings for an open listener', () => {
    for (const { code } of clientSnippets(open)) {
      expect(code).not.toMatch(/sasl|security/i);
    }
  });
});

test('keeps a user name with special characters one value', () => {
  const signIn = { user: `a"b'c $HOME\\d`, mechanism: 'SCRAM-SHA-512' } as const;
  const connection = { ...open, signIn };
  expect(textOf(connection, 'kcat')).toContain(`-X 'sasl.username=a"b'\\''c $HOME\\d'`);
  expect(textOf(connection, 'kafkajs')).toContain(`username: ${JSON.stringify(signIn.user)}`);
  // Escaped for JAAS, then for the properties file, then for the shell.
  expect(textOf(connection, 'java')).toContain(`username="a\\\\\\\\"b'c \\$HOME`);
  expect(textOf(connection, 'spring-boot')).toContain(`username="a\\"b''c $HOME\\\\d"`);
});
