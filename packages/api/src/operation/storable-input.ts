// Refuses texts that cannot be stored or sent on, for all operations: PostgreSQL's text holds no NUL, and UTF-8 no half of a
// surrogate pair.
import type { z } from 'zod';

/** Rules for the texts of an input. */
export interface TextRules {
  /** Kafka's clients may give groups, transactions and users names with NUL. Those names are not stored in PostgreSQL. */
  isNulAllowed: boolean;
}

/** The schema, without such texts. */
export function withStorableTexts<I extends z.ZodType>(input: I, rules: TextRules): I {
  return input.superRefine((value, context) => {
    for (const { path, message } of unstorableIn(value, rules, [])) {
      context.addIssue({ code: 'custom', path, message });
      return;
    }
  });
}

interface Fault {
  path: string[];
  message: string;
}

function* unstorableIn(value: unknown, rules: TextRules, path: string[]): Generator<Fault> {
  if (typeof value === 'string') {
    if (!value.isWellFormed()) {
      yield { path, message: 'Remove the incomplete character.' };
    } else if (!rules.isNulAllowed && value.includes('\0')) {
      yield { path, message: 'Remove the NUL character.' };
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, part] of Object.entries(value)) {
      if (!Array.isArray(value)) {
        yield* unstorableIn(name, rules, path);
      }
      yield* unstorableIn(part, rules, [...path, name]);
    }
  }
}
