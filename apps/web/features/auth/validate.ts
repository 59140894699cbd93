// Checks of the account forms before they are sent. The server checks again.

export const PASSWORD_MIN_LENGTH = 10;
export const PASSWORD_MAX_LENGTH = 128;

/** Null when the text can be an email address, else what is wrong with it. */
export function emailFault(email: string): string | null {
  if (email.trim() === '') {
    return 'Enter your email address.';
  }
  return /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? null : 'Enter a valid email address, such as name@example.com.';
}

/** Null when the password may be set, else what is wrong with it. */
export function newPasswordFault(password: string): string | null {
  if (password.length < PASSWORD_MIN_LENGTH) {
    return `Use at least ${PASSWORD_MIN_LENGTH} characters. A few unrelated words are easy to remember and hard to guess.`;
  }
  return password.length > PASSWORD_MAX_LENGTH ? `Use at most ${PASSWORD_MAX_LENGTH} characters.` : null;
}
