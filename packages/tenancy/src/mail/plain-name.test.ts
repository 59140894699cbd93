import { describe, expect, test } from 'vitest';
import { nameFault, nameInMail } from './plain-name.ts';

describe('a new name', () => {
  test.each([
    'Acme',
    'Ångström & Söhne GmbH',
    '水門株式会社',
    'شركة الماء',
    'U.S. Steel',
    'E.ON',
    'Acme Inc.',
    'AT&T',
    'Division 3/4',
    'O’Neill: Logistics',
  ])('is accepted: %s', (name) => {
    expect(nameFault(name)).toBeNull();
  });

  test.each([
    'Your invoice is overdue: pay at http://evil.example/pay now',
    'pay at evil.example',
    'evil.com',
    'www.evil',
    't.co/abc',
    'HTTPS://evil',
    'billing@evil.example',
    'mailto:evil',
    'evil。com',
    'Acme\r\nBcc: everybody',
    'Acme\u202egnp.exe',
    'Acme\u200b',
    'Acme\u2028next line',
  ])('is refused: %j', (name) => {
    expect(nameFault(name)).not.toBeNull();
  });
});

describe('an existing name in a mail', () => {
  test.each([
    ['Acme\r\nBcc: everybody@example.com', 'Acme Bcc: everybody[at]example[.]com'],
    ['pay at http://evil.example/pay now', 'pay at evil[.]example/pay now'],
    ['Acme\u202egnp.exe', 'Acmegnp[.]exe'],
    ['U.S. Steel', 'U[.]S. Steel'],
    ['Acme Inc.', 'Acme Inc.'],
  ])('%j becomes %j', (name, shown) => {
    expect(nameInMail(name)).toBe(shown);
  });
});
