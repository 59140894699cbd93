// Password hashes (scrypt), exactly as sign-in makes and checks them.
export { hashPassword, verifyPassword } from 'better-auth/crypto';
