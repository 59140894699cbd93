// Validation rules for single sign-on. Client-safe.
import { z } from 'zod';
import { provisionedRoles } from './provisioned-roles.ts';

const defaultRole = z.enum(provisionedRoles);

/** The fields of a connection to an identity provider. */
export const ssoConnection = z.object({
  issuer: z
    .string()
    .trim()
    .max(500, 'Use at most 500 characters.')
    .regex(/^https?:\/\/[^\s?#]+$/, 'Enter the issuer URL, such as https://login.example.com.'),
  clientId: z.string().trim().min(1, 'Enter the client ID.').max(500, 'Use at most 500 characters.'),
  clientSecret: z.string().min(1, 'Enter the client secret.').max(1_000, 'Use at most 1,000 characters.'),
  defaultRole,
  /** The provider's metadata document. The length is that which the server reads. */
  samlMetadata: z
    .string()
    .trim()
    .min(1, 'Enter the metadata.')
    .max(60_000, 'Use at most 60,000 characters, or the URL of the metadata.'),
  samlMetadataUrl: z
    .string()
    .trim()
    .max(2_000, 'Use at most 2,000 characters.')
    .regex(/^https?:\/\/[^\s#]+$/, 'Enter a URL, such as https://login.example.com/metadata.'),
  /** A claim's name, or the URL that SAML providers use instead. */
  groupsClaim: z
    .string()
    .trim()
    .regex(/^[^\s]{1,200}$/, 'Enter the name of the claim, such as groups.'),
  groupRoles: z
    .array(
      z.object({
        group: z.string().trim().min(1, 'Enter the group.').max(200, 'Use at most 200 characters.'),
        role: defaultRole,
      }),
    )
    .max(100, 'Map at most 100 groups.')
    .refine((rules) => new Set(rules.map(({ group }) => group)).size === rules.length, 'Map each group once.'),
});

/** A name with at least one dot: top-level domains are not accepted. */
export const emailDomain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, 'Use at most 253 characters.')
  .regex(
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    'Enter a domain, such as example.com.',
  );
