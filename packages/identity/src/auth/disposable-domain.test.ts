import { expect, test } from 'vitest';
import { isDisposableDomain } from './disposable-domain.ts';

test.each(['mailinator.com', 'eu.mailinator.com', 'a.b.mailinator.com', 'mailinator.com.'])(
  '%s is refused',
  (domain) => {
    expect(isDisposableDomain(domain)).toBe(true);
  },
);

test.each(['example.com', 'gmail.com', 'mailinator.test.example', 'mailinator.com.example', 'co.uk'])(
  '%s is accepted',
  (domain) => {
    expect(isDisposableDomain(domain)).toBe(false);
  },
);
