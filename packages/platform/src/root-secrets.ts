// The installation's root secrets: what the environment says about them. Several can be in use at once, so that they
// can be replaced one by one.
import { z } from 'zod';
import { AppError } from './app-error.ts';

export interface RootSecret {
  /** Stored with everything that is sealed, so never give an id to another secret. */
  id: number;
  secret: string;
}

/** In the order of the setting. The first one seals and signs; all of them open and verify. */
export type RootSecrets = readonly [RootSecret, ...RootSecret[]];

/** The id of PENSTOCK_AUTH_SECRET, which is the only secret of older installations. */
export const AUTH_SECRET_ID = 0;

const MIN_CHARACTERS = 32;
const MAX_ID = 9_999;

const authSecret = z.string().min(MIN_CHARACTERS, `expected at least ${MIN_CHARACTERS} characters`);

/** `id:secret,…`. Ids are whole numbers from 1. The first secret seals and signs. */
export const secretsVariable = z.string().transform((text, context): [RootSecret, ...RootSecret[]] => {
  const secrets = text.split(',').map((entry) => {
    const [, id, secret] = /^([1-9]\d{0,3}):(.+)$/.exec(entry.trim()) ?? [];
    return id === undefined || secret === undefined || secret.length < MIN_CHARACTERS
      ? null
      : { id: Number(id), secret };
  });
  const [first, ...others] = secrets.filter((secret) => secret !== null);
  const areDistinct = new Set([first, ...others].map((secret) => secret?.id)).size === secrets.length;
  if (first !== undefined && others.length === secrets.length - 1 && areDistinct) {
    return [first, ...others];
  }
  context.addIssue({
    code: 'custom',
    message: `expected id:secret pairs, separated by commas, with different ids from 1 to ${MAX_ID} and secrets of at least ${MIN_CHARACTERS} characters`,
  });
  return z.NEVER;
});

/** Fields of an environment schema. Pass what they parse to `rootSecrets`. */
export const rootSecretVariables = {
  PENSTOCK_AUTH_SECRET: authSecret.optional().meta({
    description: 'The only root secret of older installations. It has the id 0 and comes after `PENSTOCK_SECRETS`.',
    isSecret: true,
  }),
  PENSTOCK_SECRETS: secretsVariable.optional().meta({
    description:
      'Root secrets: `id:secret`, separated by commas. The first seals and signs, all open and verify. This or `PENSTOCK_AUTH_SECRET` is required.',
    isSecret: true,
  }),
};

/** @throws AppError `environment_invalid` if neither variable is set */
export function rootSecrets(settings: {
  PENSTOCK_AUTH_SECRET?: string | undefined;
  PENSTOCK_SECRETS?: readonly RootSecret[] | undefined;
}): RootSecrets {
  const { PENSTOCK_AUTH_SECRET: old, PENSTOCK_SECRETS: listed = [] } = settings;
  const [first, ...others] = [...listed, ...(old === undefined ? [] : [{ id: AUTH_SECRET_ID, secret: old }])];
  if (first === undefined) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'environment_invalid',
      message: 'The environment is not usable: PENSTOCK_SECRETS is not set.',
      remedy: 'Set it to 1:<secret>. Create a secret with: openssl rand -base64 48',
    });
  }
  return [first, ...others];
}
