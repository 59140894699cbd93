// Validation rules for invitations. Client-safe.
import { roles } from '@penstock/tenancy/permissions';
import { z } from 'zod';

export const emailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'Use at most 254 characters.')
  .pipe(z.email('Enter a valid email address, such as name@example.com.'));

export const memberRole = z.enum(roles, { error: 'Choose a role.' });
