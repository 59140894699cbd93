// Default messages for invalid inputs. zod's own messages name types and patterns, which users do not understand. Safe
// for browsers.
import type { z } from 'zod';

const TYPE_TEXTS: Readonly<Record<string, string>> = {
  string: 'Use text.',
  number: 'Use a number.',
  nan: 'Use a number.',
  int: 'Use a whole number.',
  bigint: 'Use a whole number.',
  boolean: 'Use true or false.',
  date: 'Use a date.',
  array: 'Use a list.',
  object: 'Use an object.',
  record: 'Use an object.',
};

const FORMAT_TEXTS: Readonly<Record<string, string>> = {
  uuid: 'This ID is not valid.',
  email: 'Enter a valid email address, such as name@example.com.',
  url: 'Enter a valid URL, such as https://example.com.',
  datetime: 'Use a time such as 2026-11-21T15:00:00Z.',
  date: 'Use a date such as 2026-11-21.',
  ipv4: 'Use an IP address.',
  ipv6: 'Use an IP address.',
  base64: 'Use base64.',
};

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  set: ['item', 'items'],
  map: ['entry', 'entries'],
};

const FALLBACK = 'This value is not valid.';

function amount(origin: string, limit: number | bigint): string {
  const units = UNITS[origin];
  const text = limit.toLocaleString('en-US');
  return units === undefined ? text : `${text} ${units[Number(limit) === 1 ? 0 : 1]}`;
}

/** The message for an issue; `z.config({ customError: inputMessage })` makes it the default of every schema. */
export function inputMessage(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'This field is required.' : (TYPE_TEXTS[issue.expected] ?? FALLBACK);
    case 'invalid_format':
      return FORMAT_TEXTS[issue.format] ?? FALLBACK;
    case 'invalid_value':
      return `Use ${issue.values.length === 1 ? '' : 'one of: '}${issue.values.map(String).join(', ')}.`;
    case 'too_big':
      return `Use ${issue.inclusive === false ? 'less than' : 'at most'} ${amount(issue.origin, issue.maximum)}.`;
    case 'too_small':
      return `Use ${issue.inclusive === false ? 'more than' : 'at least'} ${amount(issue.origin, issue.minimum)}.`;
    case 'not_multiple_of':
      return `Use a multiple of ${issue.divisor}.`;
    case 'unrecognized_keys':
      return `Unknown ${issue.keys.length === 1 ? 'field' : 'fields'}: ${issue.keys.join(', ')}.`;
    default:
      return FALLBACK;
  }
}
