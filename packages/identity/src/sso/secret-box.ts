// Encrypts customers' secrets in the database: AES-256-GCM with keys derived from the installation's own secret.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface SecretBox {
  /** @param context what the secret belongs to; bytes copied to another row cannot be decrypted there */
  seal(context: string, secret: string): Uint8Array<ArrayBuffer>;
  /** @throws Error if the bytes were changed, moved, or encrypted with another installation secret */
  open(context: string, sealed: Uint8Array): string;
}

/** @param installationSecret the one that signs cookies; if it changes, existing ciphertexts cannot be decrypted */
export function createSecretBox(installationSecret: string): SecretBox {
  const keyOf = (context: string) =>
    new Uint8Array(hkdfSync('sha256', installationSecret, context, 'penstock sealed secret', 32));
  return {
    seal(context, secret) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keyOf(context), nonce);
      const text = cipher.update(secret, 'utf8');
      return new Uint8Array(Buffer.concat([nonce, text, cipher.final(), cipher.getAuthTag()]));
    },
    open(context, sealed) {
      const decipher = createDecipheriv('aes-256-gcm', keyOf(context), sealed.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
}

/** The context of an organization's client secret. */
export const clientSecretContext = (organizationId: string): string => `sso-client-secret:${organizationId}`;
