// Paths of PATCH operations (RFC 7644, section 3.5.2): an attribute, perhaps one of its values, perhaps a sub-attribute.
import { invalidPath } from './scim-error.ts';

export interface PatchPath {
  /** The attribute in lower case. */
  attribute: string;
  /** Which values of a list are meant. */
  filter: { attribute: string; value: string } | null;
  /** The sub-attribute in lower case. */
  subAttribute: string | null;
}

const MAX_PATH_LENGTH = 500;

const core = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i;
const path = /^([a-z$][\w$-]*)(?:\[\s*([a-z]\w*)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*\])?(?:\.([a-z$][\w$-]*))?$/i;

/** Null for an attribute of an extension, none of which we keep. @throws ScimRefusal `invalidPath` */
export function parsePatchPath(text: unknown): PatchPath | null {
  if (typeof text !== 'string' || text.length > MAX_PATH_LENGTH) {
    throw invalidPath('A path must be a text of at most 500 characters.');
  }
  const rest = text.trim().replace(core, '');
  if (/^urn:/i.test(rest)) {
    return null;
  }
  const match = path.exec(rest);
  if (match === null) {
    throw invalidPath(`The path ${text.slice(0, 100)} is not supported. A filter may have one comparison with eq.`);
  }
  const [, attribute = '', filtered, value, subAttribute] = match;
  return {
    attribute: attribute.toLowerCase(),
    filter: filtered === undefined ? null : { attribute: filtered.toLowerCase(), value: textIn(value ?? '', text) },
    subAttribute: subAttribute?.toLowerCase() ?? null,
  };
}

function textIn(value: string, whole: string): string {
  try {
    return String(JSON.parse(value));
  } catch {
    throw invalidPath(`The path ${whole.slice(0, 100)} holds an invalid text.`);
  }
}
