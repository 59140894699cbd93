import { AppError } from '@penstock/platform';
import { expect, test } from 'vitest';
import { checkWebhookUrl } from './webhook-url.ts';

const hosted = { isLoopbackAllowed: false, allowedPorts: [443] };
const embedded = { isLoopbackAllowed: true, allowedPorts: [443] };

test.each([
  ['not a URL', 'example.com/hook'],
  ['no TLS', 'http://example.com/hook'],
  ['another protocol', 'ftp://example.com/hook'],
  ['a script', 'javascript:alert(1)'],
  ['a file', 'file:///etc/passwd'],
  ['a password inside', 'https://user:secret@example.com/hook'],
  ['this machine', 'https://127.0.0.1/hook'],
  ['this machine as one decimal number', 'https://2130706433/hook'],
  ['this machine in octal', 'https://0177.0.0.1/hook'],
  ['this machine as one octal number', 'https://017700000001/hook'],
  ['this machine in hexadecimal', 'https://0x7f.0x0.0x0.0x1/hook'],
  ['this machine with parts left out', 'https://127.1/hook'],
  ['this machine with a dot behind it', 'https://127.0.0.1./hook'],
  ['this machine in digits of another script', 'https://１２７.０.０.１/hook'],
  ['this machine over IPv6', 'https://[::1]/hook'],
  ['this machine mapped into IPv6', 'https://[::ffff:127.0.0.1]/hook'],
  ['this machine mapped into IPv6, in hexadecimal', 'https://[::ffff:7f00:1]/hook'],
  ['a link of IPv6', 'https://[fe80::1]/hook'],
  ['a private network of IPv6', 'https://[fd12:3456::1]/hook'],
  ['the metadata of a cloud', 'https://169.254.169.254/latest/meta-data'],
  ['the metadata of a cloud as one number', 'https://2852039166/latest/meta-data'],
  ['a private network', 'https://10.0.0.8:8443/hook'],
])('refuses a URL with %s with a message for a form', (_what, text) => {
  try {
    checkWebhookUrl(text, hosted);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'webhook_url_refused', field: 'webhookUrl', remedy: expect.any(String) });
    return;
  }
  throw new Error('It was accepted.');
});

test('a public URL is accepted unchanged', () => {
  expect(checkWebhookUrl('https://hooks.example.com/a?b=c', hosted).href).toBe('https://hooks.example.com/a?b=c');
});

test('other ports than those that the operator allows are refused', () => {
  const text = 'https://hooks.example.com:8443/a';
  expect(() => checkWebhookUrl(text, hosted)).toThrow('Port 8443 isn’t allowed.');
  expect(checkWebhookUrl(text, { ...hosted, allowedPorts: [443, 8443] }).href).toBe(text);
  // A cleartext port of a mail server, of SSH and of a database: nothing there expects our requests.
  for (const port of [22, 25, 5432]) {
    expect(() => checkWebhookUrl(`https://hooks.example.com:${port}/`, embedded)).toThrow(AppError);
  }
});

test('in embedded mode only this machine may be called without TLS', () => {
  expect(checkWebhookUrl('http://127.0.0.1:9999/hook', embedded).href).toBe('http://127.0.0.1:9999/hook');
  expect(checkWebhookUrl('http://localhost:9999/hook', embedded).href).toBe('http://localhost:9999/hook');
  expect(() => checkWebhookUrl('http://example.com/hook', embedded)).toThrow(AppError);
  expect(() => checkWebhookUrl('https://10.0.0.8/hook', embedded)).toThrow(AppError);
});
