import { inputMessage } from '@penstock/platform/input-message';
import { type ZodError, z } from 'zod';

z.config({ customError: inputMessage });

/**
 * The first fault of each field.
 * @param fieldOf the field that holds the input with this path, such as `networks.1`; null if none does
 */
export function inputFaults(error: ZodError, fieldOf: (path: string) => string | null): Map<string, string> {
  const faults = new Map<string, string>();
  for (const issue of error.issues) {
    const field = fieldOf(issue.path.map(String).join('.'));
    if (field !== null && !faults.has(field)) {
      faults.set(field, issue.message);
    }
  }
  return faults;
}
