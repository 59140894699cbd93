// What the page of all settings says about a program's variables.
import type { z } from 'zod';

export interface DescribedVariable {
  name: string;
  isRequired: boolean;
  /** In Markdown; empty for none. */
  defaultText: string;
  description: string;
  /** It can be read from a file. */
  isSecret: boolean;
}

/** The variables of an environment schema, by name. */
export type VariableShape = Readonly<Record<string, z.ZodType>>;

/** @throws Error that names a variable without a description */
export function describeVariables(shape: VariableShape): DescribedVariable[] {
  return Object.entries(shape).map(([name, schema]) => {
    const { description, isSecret, defaultText } = schema.meta() ?? {};
    if (description === undefined) {
      throw new Error(`${name} has no description: add .meta({ description: '…' }) where it is declared`);
    }
    const absent = schema.safeParse(undefined);
    return {
      name,
      isRequired: !absent.success,
      defaultText: typeof defaultText === 'string' ? defaultText : shown(absent.data),
      description,
      isSecret: isSecret === true,
    };
  });
}

function shown(value: unknown): string {
  return value === undefined ? '' : `\`${String(value)}\``;
}
