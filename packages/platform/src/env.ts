// Reads settings from an environment that the caller passes in, never from process.env itself.
import { z } from 'zod';
import { AppError } from './app-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Checks the environment against a schema. An empty variable counts as absent.
 * @throws AppError `environment_invalid` that names every invalid variable and the problem, never its value
 */
export function parseEnv<Shape extends z.ZodRawShape>(
  shape: Shape,
  environment: Environment,
): z.infer<z.ZodObject<Shape>> {
  const present = Object.fromEntries(Object.keys(shape).map((name) => [name, environment[name] || undefined]));
  const parsed = z.object(shape).safeParse(present);
  if (parsed.success) {
    return parsed.data;
  }
  const faults = parsed.error.issues.map((issue) => {
    const name = issue.path.join('.');
    return present[String(issue.path[0])] === undefined ? `${name} is not set` : `${name}: ${issue.message}`;
  });
  throw new AppError({
    kind: 'invalid-input',
    code: 'environment_invalid',
    message: `The environment is not usable: ${faults.join('; ')}.`,
    remedy: 'Set these variables and start again.',
  });
}

/** A flag: 1 or true, 0 or false; false if absent. */
export const flagVariable = z
  .enum(['1', 'true', '0', 'false'], { error: 'expected 1, true, 0 or false' })
  .optional()
  .transform((text) => text === '1' || text === 'true');

/** A TCP port; 0 for any free port. */
export const portVariable = z
  .string()
  .regex(/^\d{1,5}$/, 'expected a port number')
  .transform(Number)
  .refine((port) => port <= 65_535, 'expected a port number up to 65535');

/** Ports that webhooks and identity providers may use, separated by commas. Default: the one of HTTPS. */
export const outboundPortsVariable = z
  .string()
  .regex(/^\d{1,5}(,\d{1,5})*$/, 'expected port numbers, separated by commas')
  .transform((text) => text.split(',').map(Number))
  .refine((ports) => ports.every((port) => port >= 1 && port <= 65_535), 'expected ports from 1 to 65535')
  .default([443]);

/** A PostgreSQL connection URL. */
export const databaseUrlVariable = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'expected a URL that starts with postgresql://');

/** An http or https URL without a trailing slash. */
export const httpUrlVariable = z
  .url({ protocol: /^https?$/, error: 'expected a URL that starts with http:// or https://' })
  .transform((url) => url.replace(/\/+$/, ''));

/** One or more URLs, separated by commas, without trailing slashes. */
export const urlsVariable = z
  .string()
  .transform((text) => text.split(',').map((url) => url.trim().replace(/\/+$/, '')));
