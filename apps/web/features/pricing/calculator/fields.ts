// What the form holds: the texts as typed, by field name, only where they differ from the default. Pure.
import { DEFAULT_STATE, type FieldErrors, inputNamed, type ParsedState, parseState } from '@penstock/pricing';

export type Fields = Readonly<Record<string, string>>;

/** The fields of a link. Repeated parameters count once, the last one; defaults are dropped. */
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

/** Drops what stands at its default. */
export function tidy(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([key, text]) => {
      const standard = key === 'asOf' ? DEFAULT_STATE.asOf : inputNamed(key)?.default;
      return text !== standard;
    }),
  );
}

/** The query of a link to what was typed, wrong fields included: a shared link shows the same messages. */
export function queryOfFields(fields: Fields): string {
  return new URLSearchParams(Object.entries(fields)).toString();
}

export function parseFields(fields: Fields): ParsedState {
  return parseState(Object.entries(fields));
}

/** Errors of fields that have no place in the form: from a mistyped link. */
export function strayErrors(
  errors: FieldErrors,
  placed: (key: string) => boolean,
): readonly (readonly [string, string])[] {
  return Object.entries(errors).filter(([key]) => !placed(key));
}
