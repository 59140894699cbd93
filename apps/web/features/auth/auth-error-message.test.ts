import { describe, expect, it } from 'vitest';
import { authErrorMessage } from './auth-error-message.ts';

describe('authErrorMessage', () => {
  it('does not reveal whether the email or the password was wrong', () => {
    const message = authErrorMessage({ status: 401, code: 'INVALID_EMAIL_OR_PASSWORD' });
    expect(message).toContain('email address or password');
  });

  it('names a remedy for rate limits, outages and failures', () => {
    expect(authErrorMessage({ status: 400, code: 'constructor', message: 'No.' })).toBe('No.');
    expect(authErrorMessage({ status: 429 })).toContain('Wait a minute');
    expect(authErrorMessage({})).toContain('couldn’t reach the server');
    expect(authErrorMessage({ status: 503 })).toContain('Nothing was changed');
  });

  it('shows the server’s message for an unknown error', () => {
    expect(authErrorMessage({ status: 400, code: 'NEW_ONE', message: 'Name is too long' })).toBe('Name is too long');
  });
});
