import { inputMessage } from '@penstock/platform/input-message';
import { type ZodError, z } from 'zod';

z.config({ customError: inputMessage });

/** The first error of each input of a form, by the input's name. */
export function firstFaults(error: ZodError): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const issue of error.issues) {
    const field = issue.path.map(String).join('.');
    faults[field] ??= issue.message;
  }
  return faults;
}
