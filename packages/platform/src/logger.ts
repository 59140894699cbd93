// Structured logs, one JSON object per line on standard output. Redacts secrets by name in the first levels of a
// record, and agent keys, Stripe's keys and URL passwords by pattern.
import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

const secretNames = [
  'password',
  'newPassword',
  'currentPassword',
  'secret',
  'token',
  'plaintext',
  'totpURI',
  'backupCodes',
  'agentKey',
  'authorization',
  'cookie',
  'databaseUrl',
  'DATABASE_URL',
];

const secretLooks: [RegExp, string][] = [
  [/psk_(agent|api|scim)_[0-9A-Za-z]{4}[0-9A-Za-z_]*/g, 'psk_$1_[redacted]'],
  // Stripe's keys and webhook secrets.
  [/\b(sk_live|sk_test|rk_live|rk_test|whsec)_[0-9A-Za-z]+/g, '$1_[redacted]'],
  [/(\w+:\/\/[^\s:/@]+):[^\s@/]+@/g, '$1:[redacted]@'],
  [/([?&](?:token|key|secret)=)[^&\s"]+/gi, '$1[redacted]'],
];

/** Redacts what looks like a secret in free text. */
export function redactText(text: string): string {
  return secretLooks.reduce((result, [look, replacement]) => result.replace(look, replacement), text);
}

export interface LoggerOptions {
  /** The name of the program, e.g. `worker`. */
  name: string;
  /** trace, debug, info, warn, error, fatal or silent. Default: info. */
  level?: string | undefined;
  /** Where lines go. Default: standard output. */
  destination?: DestinationStream | undefined;
}

/** Creates a program's logger. Each part adds its own fields with `child`. */
export function createLogger({ name, level = 'info', destination }: LoggerOptions): Logger {
  const paths = secretNames.flatMap((secret) => [secret, `*.${secret}`, `*.*.${secret}`]);
  const output = destination ?? process.stdout;
  return pino(
    { name, level, redact: { paths, censor: '[redacted]' }, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => void output.write(redactText(line)) },
  );
}
