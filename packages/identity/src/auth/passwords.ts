// Rules for passwords, and their hashes (scrypt), created and checked exactly as at sign-in.
export { hashPassword, verifyPassword } from 'better-auth/crypto';

export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 128;
