// Rules of what a person may type about an invitation. Client-safe.
import { roles } from '@penstock/tenancy/permissions';
import { z } from 'zod';

export const emailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'Use at most 254 characters.')
  .pipe(z.email('This does not look like an e-mail address. It should read like name@example.com.'));

export const memberRole = z.enum(roles, { error: 'Choose one of the roles.' });
