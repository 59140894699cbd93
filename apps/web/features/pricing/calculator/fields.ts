// The form's fields: typed texts by field name, only where they differ from the default. Pure.
import { DEFAULT_STATE, type FieldErrors, inputNamed, type ParsedState, parseState } from '@penstock/pricing';

export type Fields = Readonly<Record<string, string>>;

/** Reads the fields from a link. The last of repeated parameters counts; defaults are dropped. */
export function fieldsOfQuery(query: Readonly<Record<string, string | readonly string[] | undefined>>): Fields {
  return tidy(
    Object.fromEntries(
      Object.entries(query).flatMap(([key, value]) => {
        const text = typeof value === 'string' ? value : value?.at(-1);
        return text === undefined ? [] : [[key, text] as const];
      }),
    ),
  );
}

/** Drops fields that have their default value. */
export function tidy(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([key, text]) => {
      const standard = key === 'asOf' ? DEFAULT_STATE.asOf : inputNamed(key)?.default;
      return text !== standard;
    }),
  );
}

/** The link's query for the typed fields, including invalid ones: a shared link shows the same errors. */
export function queryOfFields(fields: Fields): string {
  return new URLSearchParams(Object.entries(fields)).toString();
}

export function parseFields(fields: Fields): ParsedState {
  return parseState(Object.entries(fields));
}

/** Errors of fields that the form does not have, from a mistyped link. */
export function strayErrors(
  errors: FieldErrors,
  placed: (key: string) => boolean,
): readonly (readonly [string, string])[] {
  return Object.entries(errors).filter(([key]) => !placed(key));
}
