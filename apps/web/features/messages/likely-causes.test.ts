import { expect, it } from 'vitest';
import { likelyCauses } from './likely-causes.ts';

it('names mixed content first, and only when it applies', () => {
  expect(likelyCauses('https:', 'http://10.0.0.7:9465')[0]).toContain('https');
  for (const [page, url] of [
    ['http:', 'http://10.0.0.7:9465'],
    ['https:', 'https://records.example.com'],
    ['https:', 'http://127.0.0.1:9465'],
    ['https:', 'http://localhost:9465'],
  ] as const) {
    expect(likelyCauses(page, url).join(' ')).not.toContain('This page uses HTTPS');
  }
});

it('distinguishes an address of this machine from a remote one', () => {
  expect(likelyCauses('http:', 'http://localhost:9465')[0]).toContain('your own machine');
  expect(likelyCauses('https:', 'https://records.example.com')[0]).toContain('can’t reach');
});
