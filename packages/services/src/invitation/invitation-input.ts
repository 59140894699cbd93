// Rules of what a person may type about an invitation. Client-safe.
import { z } from 'zod';
import { roles } from '../access/permissions.ts';

export const emailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, 'Use at most 254 characters.')
  .pipe(z.email('Enter a valid email address, such as name@example.com.'));

export const memberRole = z.enum(roles, { error: 'Choose a role.' });
