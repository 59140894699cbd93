// Reads PENSTOCK_CELLS: the PostgreSQL databases that hold clusters' journals, snapshots and leases.
import { z } from 'zod';
import { databaseUrlVariable } from './env.ts';

/** The default cell: the control plane's own database. */
export const MAIN_CELL = 'main';

const CELL_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Cells besides `main`, as JSON: `{"eu-1":"postgresql://..."}`. None if absent. */
export const cellsVariable = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'expected JSON like {"eu-1":"postgresql://..."}' });
      return z.NEVER;
    }
  })
  .pipe(z.record(z.string(), databaseUrlVariable))
  .refine((cells) => Object.keys(cells).every((name) => CELL_NAME.test(name)), {
    message: 'expected names of lowercase letters, digits and hyphens',
  })
  .refine((cells) => !(MAIN_CELL in cells), {
    message: `"${MAIN_CELL}" is the database of DATABASE_URL and cannot be set here`,
  })
  .default({})
  .meta({
    description: 'More databases for journals, as JSON: `{"eu-1":"postgresql://…"}`.',
    isSecret: true,
    defaultText: 'none',
  });

/** All cells by name, including `main`, with their connection URLs. */
export function cellUrls(databaseUrl: string, cells: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map([[MAIN_CELL, databaseUrl], ...Object.entries(cells)]);
}
