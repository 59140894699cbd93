import { describe, expect, it } from 'vitest';
import { callerOf } from './caller';

const noted = (hops: string) => new Headers({ 'x-forwarded-for': hops });

describe('the caller that the quota counts', () => {
  it.each([
    ['1.1.1.1, 9.9.9.9', '', '9.9.9.9'],
    ['1.1.1.1, 9.9.9.9, 10.0.0.7', '10.0.0.0/8', '9.9.9.9'],
    ['1.1.1.1, 10.0.0.9, 10.0.0.7', '10.0.0.0/8, 192.0.2.1', '1.1.1.1'],
    ['2001:db8:1:2:3::4', '', '2001:db8:1:2::/64'],
  ])('of "%s" behind the proxies "%s" is %s', (hops, proxies, caller) => {
    expect(callerOf(noted(hops), proxies)).toBe(caller);
  });

  it('is one and the same for all whose address is not known', () => {
    expect(callerOf(new Headers())).toBe('unknown');
  });
});
