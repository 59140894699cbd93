// What account forms ask for. The server checks again.
import { z } from 'zod';

export const PASSWORD_MIN_LENGTH = 10;
const PASSWORD_MAX_LENGTH = 128;

export const emailInput = z
  .string()
  .trim()
  .min(1, 'Enter your email address.')
  .regex(/^[^\s@]+@[^\s@]+$/, 'Enter a valid email address, such as name@example.com.');

export const currentPassword = z.string().min(1, 'Enter your password.');

export const newPassword = z
  .string()
  .min(
    PASSWORD_MIN_LENGTH,
    `Use at least ${PASSWORD_MIN_LENGTH} characters. A few unrelated words are easy to remember and hard to guess.`,
  )
  .max(PASSWORD_MAX_LENGTH, `Use at most ${PASSWORD_MAX_LENGTH} characters.`);

const withoutSpaces = z.string().transform((text) => text.replaceAll(/\s/g, ''));

/** A code as people type it: apps show it in two groups. */
export const authenticatorCode = withoutSpaces.pipe(
  z.string().regex(/^\d{6}$/, 'Enter the six-digit code from the app.'),
);

export const recoveryCode = withoutSpaces.pipe(z.string().min(1, 'Enter one of your recovery codes.'));
