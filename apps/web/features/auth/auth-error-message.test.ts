import { describe, expect, it } from 'vitest';
import { authErrorMessage } from './auth-error-message.ts';

describe('authErrorMessage', () => {
  it('does not tell which of email and password was wrong', () => {
    const message = authErrorMessage({ status: 401, code: 'INVALID_EMAIL_OR_PASSWORD' });
    expect(message).toContain('email address or password');
  });

  it('says what to do when attempts are limited, when the server is unreachable and when it fails', () => {
    expect(authErrorMessage({ status: 429 })).toContain('Wait a minute');
    expect(authErrorMessage({})).toContain('couldn’t reach the server');
    expect(authErrorMessage({ status: 503 })).toContain('Nothing was changed');
  });

  it('passes on the reason of a refusal that it does not know', () => {
    expect(authErrorMessage({ status: 400, code: 'NEW_ONE', message: 'Name is too long' })).toBe('Name is too long');
  });
});
