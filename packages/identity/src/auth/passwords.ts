// Password hashes (scrypt), created and checked exactly as at sign-in.
export { hashPassword, verifyPassword } from 'better-auth/crypto';
