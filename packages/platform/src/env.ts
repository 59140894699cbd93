// Reads settings from an environment that the caller passes in, never from process.env itself. A variable that is described with
// `isSecret` can name a file instead: PENSTOCK_SECRETS_FILE holds the path of a file with the value of PENSTOCK_SECRETS.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { AppError } from './app-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The ending of the variable that names a file with the value. */
export const FILE_SUFFIX = '_FILE';

/**
 * Checks the environment against a schema. An empty variable counts as absent. Of a secret in a file, the line end is dropped.
 * @throws AppError `environment_invalid` that names every invalid variable and the problem, never its value
 */
export function parseEnv<Shape extends z.ZodRawShape>(
  shape: Shape,
  environment: Environment,
): z.infer<z.ZodObject<Shape>> {
  const present = new Map<string, string | undefined>();
  const faults: string[] = [];
  const unread = new Set<string>();
  for (const [name, schema] of Object.entries(shape)) {
    const value =
      schema instanceof z.ZodType && schema.meta()?.['isSecret'] === true
        ? secretOf(name, environment)
        : environment[name];
    if (typeof value === 'object') {
      faults.push(value.fault);
      unread.add(name);
    } else {
      present.set(name, value || undefined);
    }
  }
  const parsed = z.object(shape).safeParse(Object.fromEntries(present));
  if (parsed.success && faults.length === 0) {
    return parsed.data;
  }
  for (const { path, message } of parsed.error?.issues ?? []) {
    const variable = String(path[0]);
    if (!unread.has(variable)) {
      faults.push(present.get(variable) === undefined ? `${variable} is not set` : `${path.join('.')}: ${message}`);
    }
  }
  throw new AppError({
    kind: 'invalid-input',
    code: 'environment_invalid',
    message: `The environment is not usable: ${faults.join('; ')}.`,
    remedy: 'Set these variables and start again.',
  });
}

/** The value itself or from its file; undefined if neither is set. */
function secretOf(name: string, environment: Environment): string | undefined | { fault: string } {
  const fileVariable = `${name}${FILE_SUFFIX}`;
  const [value, file] = [environment[name], environment[fileVariable]];
  if (!file) {
    return value;
  }
  if (value) {
    return { fault: `${name} and ${fileVariable} are both set` };
  }
  try {
    const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    return text === '' ? { fault: `${fileVariable}: ${file} is empty` } : text;
  } catch (error) {
    return { fault: `${fileVariable}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** A flag: 1 or true, 0 or false; false if absent. */
export const flagVariable = z
  .enum(['1', 'true', '0', 'false'], { error: 'expected 1, true, 0 or false' })
  .optional()
  .transform((text) => text === '1' || text === 'true');

/** Whether the program runs under `npm start`. */
export const embeddedVariable = flagVariable.meta({
  description: 'For the local system: `npm start` sets it. Allows webhooks to this machine and invents a seller.',
  defaultText: 'false',
});

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
  .default([443])
  .meta({ description: 'Ports that webhooks and identity providers may use, separated by commas.' });

/** A PostgreSQL connection URL. */
export const databaseUrlVariable = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'expected a URL that starts with postgresql://')
  .meta({ description: "The control plane's database: `postgresql://user:password@host/name`.", isSecret: true });

/** The least level of messages that a program logs. */
export const logLevelVariable = z
  .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
  .default('info')
  .meta({ description: 'The least level that is logged: trace, debug, info, warn, error, fatal or silent.' });

/** Addresses or CIDR ranges, separated by commas. */
export const trustedProxiesVariable = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((range) => (range.trim() === '' ? [] : [range.trim()])))
  .meta({
    description:
      'Addresses or CIDR ranges of the proxies and load balancers in front of this program, separated by commas. Their `x-forwarded-for` is trusted.',
    defaultText: 'none',
  });

/** An http or https URL without a trailing slash. */
export const httpUrlVariable = z
  .url({ protocol: /^https?$/, error: 'expected a URL that starts with http:// or https://' })
  .transform((url) => url.replace(/\/+$/, ''));

/** One or more URLs, separated by commas, without trailing slashes. */
export const urlsVariable = z
  .string()
  .transform((text) => text.split(',').map((url) => url.trim().replace(/\/+$/, '')));
