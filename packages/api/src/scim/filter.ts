// The filters that providers use to find users and groups: equality, joined by “and”. A parser for all of RFC 7644 would
// let a caller send expressions whose evaluation takes exponential time.
import { ScimRefusal } from './scim-error.ts';

export interface Comparison {
  /** In lower case, without the core schema’s prefix. A filter on the type of an address is left out. */
  attribute: string;
  value: string;
}

const MAX_FILTER_LENGTH = 1_000;

const comparison =
  /\s*(?:urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):)?([a-z]\w*(?:\.\w+|\[\s*type\s+eq\s+"\w*"\s*\]\.value)?)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*(and\s|$)/iy;

/** @throws ScimRefusal `invalidFilter` */
export function parseFilter(text: string): Comparison[] {
  if (text.length > MAX_FILTER_LENGTH) {
    throw invalidFilter();
  }
  const found: Comparison[] = [];
  comparison.lastIndex = 0;
  do {
    const match = comparison.exec(text);
    if (match === null) {
      throw invalidFilter();
    }
    const [, attribute = '', value = '', joint = ''] = match;
    found.push({ attribute: attribute.replace(/\[.*\]/, '').toLowerCase(), value: readValue(value) });
    if (joint === '') {
      return found;
    }
  } while (found.length < 4);
  throw invalidFilter();
}

function readValue(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    throw invalidFilter();
  }
}

export function invalidFilter(): ScimRefusal {
  return new ScimRefusal(
    400,
    'invalidFilter',
    'Use comparisons such as userName eq "ada@example.com", joined by “and”. Users have id, userName, externalId and emails; groups have id, displayName, externalId and members.',
  );
}
