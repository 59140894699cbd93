import { describe, expect, it } from 'vitest';
import { RateLimiter } from './rate-limiter.ts';

describe('the rate limit', () => {
  it('allows a caller its quota, refuses the next request, and resets when the window ends', () => {
    const limiter = new RateLimiter('tco', 2, 60_000);
    expect(limiter.take('a', 0).headers['RateLimit']).toBe('"tco";r=1;t=60');
    expect(limiter.take('a', 1_000).allowed).toBe(true);
    const refused = limiter.take('a', 2_000);
    expect(refused.allowed).toBe(false);
    expect(refused.headers['Retry-After']).toBe('58');
    expect(limiter.take('b', 2_000).allowed).toBe(true);
    expect(limiter.take('a', 60_000).allowed).toBe(true);
  });

  it('tracks a bounded number of callers', () => {
    const limiter = new RateLimiter('tco', 1, 60_000, 3);
    for (const caller of ['a', 'b', 'c', 'd']) {
      limiter.take(caller, 0);
    }
    expect(limiter.take('d', 1).allowed).toBe(false);
    expect(limiter.take('a', 1).allowed).toBe(true);
  });
});
