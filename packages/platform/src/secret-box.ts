// Encrypts secrets in the database: AES-256-GCM with a data key for each column, derived from a root secret that the
// sealed text names by its id.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { AppError } from './app-error.ts';
import { AUTH_SECRET_ID, type RootSecrets } from './root-secrets.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PREFIX = 'sealed:1:';
const SEALED = /^sealed:1:(\d+):([A-Za-z0-9_-]+)$/;

/** Where a secret is stored. A sealed text that was copied to another place cannot be opened there. */
export interface SecretPlace {
  /** Table and column, e.g. `sso_connection.client_secret`. Each has its own data key. */
  column: string;
  /** The row, by its organization or its own id. */
  row: string;
}

export interface SecretBox {
  /** Encrypts with the first root secret. @returns `sealed:1:<id of the root secret>:<base64url>` */
  seal(place: SecretPlace, secret: string): string;
  /** @throws AppError `sealed_secret_unreadable` if the text was changed or moved, or its root secret is not configured */
  open(place: SecretPlace, sealed: string): string;
  /** Whether a text is sealed with the first root secret. */
  isCurrent(stored: string): boolean;
}

function unreadable(message: string, remedy: string, cause?: unknown): AppError {
  return new AppError({
    kind: 'refused',
    code: 'sealed_secret_unreadable',
    message,
    remedy,
    ...(cause === undefined ? {} : { cause }),
  });
}

const changed = (cause?: unknown): AppError =>
  unreadable(
    'A stored secret can’t be decrypted. It was changed, moved to another row, or encrypted with another root secret.',
    'Restore the row from a backup, or enter the secret again.',
    cause,
  );

function encrypt(key: Uint8Array, additional: string, secret: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(additional));
  return Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** @throws Error if the bytes are not what `encrypt` made with this key and additional data */
function decrypt(key: Uint8Array, additional: string, sealed: Uint8Array): string {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(Math.max(NONCE_BYTES, sealed.length - TAG_BYTES)));
  decipher.setAAD(Buffer.from(additional));
  const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}

/** @param secrets the first one seals, all of them open */
export function createSecretBox(secrets: RootSecrets): SecretBox {
  const [current] = secrets;
  const byId = new Map(secrets.map(({ id, secret }) => [id, secret]));

  const keyOf = (secret: string, { column }: SecretPlace): Uint8Array =>
    new Uint8Array(hkdfSync('sha256', secret, '', `penstock sealed column ${column}`, 32));
  const additionalOf = (id: number, { column, row }: SecretPlace): string => JSON.stringify([PREFIX, id, column, row]);

  return {
    seal(place, secret) {
      const bytes = encrypt(keyOf(current.secret, place), additionalOf(current.id, place), secret);
      return `${PREFIX}${current.id}:${bytes.toString('base64url')}`;
    },
    open(place, sealed) {
      const [, idText, body] = SEALED.exec(sealed) ?? [];
      if (idText === undefined || body === undefined) {
        throw changed();
      }
      const id = Number(idText);
      const secret = byId.get(id);
      if (secret === undefined) {
        throw unreadable(
          `A stored secret is sealed with root secret ${id}, which is not configured.`,
          id === AUTH_SECRET_ID ? 'Set PENSTOCK_AUTH_SECRET again.' : `Add ${id}:<secret> to PENSTOCK_SECRETS again.`,
        );
      }
      try {
        return decrypt(keyOf(secret, place), additionalOf(id, place), Buffer.from(body, 'base64url'));
      } catch (error) {
        throw changed(error);
      }
    },
    isCurrent: (stored) => stored.startsWith(`${PREFIX}${current.id}:`),
  };
}
