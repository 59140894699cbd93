// Reads attributes of what a provider sends. Names don't distinguish case (RFC 7643, section 2.1), unknown ones are
// ignored, and null means that an attribute has no value.
import { isStorable } from '@penstock/platform';
import { invalidValue, ScimRefusal } from './scim-error.ts';

export type Attributes = ReadonlyMap<string, unknown>;

/** By names in lower case. @throws ScimRefusal unless it is an object */
export function attributesOf(value: unknown, what: string): Attributes {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ScimRefusal(400, 'invalidSyntax', `${what} must be an object.`);
  }
  return new Map(
    Object.entries(value)
      .filter(([, attribute]) => attribute !== null)
      .map(([name, attribute]) => [name.toLowerCase(), attribute]),
  );
}

const MAX_TEXT_LENGTH = 320;

/** Null for a missing or empty text. @throws ScimRefusal */
export function textOf(value: unknown, name: string): string | null {
  if (value === undefined || value === null) {
    return null;
  }
  if (typeof value !== 'string' || value.length > MAX_TEXT_LENGTH || !isStorable(value)) {
    throw invalidValue(`${name} must be a text of at most ${MAX_TEXT_LENGTH} characters.`);
  }
  return value.trim() === '' ? null : value.trim();
}

/** @throws ScimRefusal */
export function requiredText(value: unknown, name: string): string {
  const text = textOf(value, name);
  if (text === null) {
    throw invalidValue(`${name} is required.`);
  }
  return text;
}

/** Entra ID sends "True" and "False" as texts. @throws ScimRefusal */
export function flagOf(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') {
    return value;
  }
  if (typeof value === 'string' && /^(true|false)$/i.test(value)) {
    return value.toLowerCase() === 'true';
  }
  throw invalidValue(`${name} must be true or false.`);
}

/** A single value counts as a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) {
    return [];
  }
  return Array.isArray(value) ? value : [value];
}
