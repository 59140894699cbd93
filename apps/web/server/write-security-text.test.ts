import { expect, test } from 'vitest';
import { securityText } from './write-security-text.ts';

const now = new Date('2026-11-28T13:00:00Z');

test('has the fields of RFC 9116 and expires within a year', () => {
  expect(securityText({ webUrl: 'https://app.example', contact: 'mailto:security@app.example', now })).toBe(
    [
      'Contact: mailto:security@app.example',
      'Expires: 2027-05-27T00:00:00.000Z',
      'Preferred-Languages: en',
      'Canonical: https://app.example/.well-known/security.txt',
      'Policy: https://app.example/docs/security',
      '',
    ].join('\n'),
  );
});

test('is not there without a contact', () => {
  expect(securityText({ webUrl: 'https://app.example', contact: undefined, now })).toBeUndefined();
});
