// The settings of the metadata service, read from its environment.

import { isOpenRules, MERGE_POLICY, NEWEST_RULES, type RulesVersion } from '@penstock/metadata-core';
import {
  AppError,
  cellsVariable,
  cellUrls,
  databaseUrlVariable,
  drainSecondsVariable,
  type Environment,
  flagVariable,
  httpUrlVariable,
  logLevelVariable,
  metricsTokenVariable,
  parseEnv,
  portVariable,
  type RootSecrets,
  secretsVariable,
  trustedProxiesVariable,
} from '@penstock/platform';
import { DAY_MS, HOUR_MS } from '@penstock/units';
import { z } from 'zod';
import { budgetsVariable } from './budgets/budget-settings.ts';
import type { BudgetSettings } from './budgets/call-budgets.ts';
import type { PortTls } from './http2-listener.ts';
import { defaultMemoryMib, MAX_MEMORY_MIB, MIN_MEMORY_MIB, parseMemoryMib } from './memory/memory-limit.ts';
import type { StateBudgetSettings } from './memory/state-budget.ts';
import { type TraceSettings, traceSettings, traceVariables } from './traces/trace-settings.ts';

/**
 * Far more than the ten minutes within which a file can be committed. After restoring an older journal, an operator has this long to
 * disable orphan collection before an object is deleted that a newer journal names.
 */
export const ORPHAN_AGE_MS = 2 * DAY_MS;

function milliseconds(minMs: number, maxMs: number, defaultMs: number) {
  return z
    .string()
    .regex(/^\d+$/, 'expected a number of milliseconds')
    .transform(Number)
    .refine((ms) => ms >= minMs && ms <= maxMs, `expected ${minMs} to ${maxMs} milliseconds`)
    .default(defaultMs);
}

const memoryVariable = z.string().transform((text, context) => {
  const memoryMib = parseMemoryMib(text);
  if (memoryMib === undefined) {
    context.addIssue(`expected ${MIN_MEMORY_MIB} to ${MAX_MEMORY_MIB} MiB`);
    return z.NEVER;
  }
  return memoryMib;
});

const stateVariable = z
  .string()
  .regex(/^[1-9]\d{0,6}$/, 'expected a number of MiB')
  .transform(Number);

/** IP:PORT, with brackets around an IPv6 address. Loopback by default: who may reach it is the operator's decision. */
const addressVariable = z
  .string()
  .default('127.0.0.1:7072')
  .transform((text, context) => {
    const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
    if (host === undefined || Number(port) > 65_535) {
      context.addIssue('expected IP:PORT, such as 10.0.3.7:7072');
      return z.NEVER;
    }
    return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
  });

const rulesVariable = z
  .string()
  .transform(Number)
  .refine(isOpenRules, `expected a rules level that this release writes: ${NEWEST_RULES}`);

export interface Settings {
  databaseUrl: string;
  /** The databases that hold journals, by cell name; `main` is that of `databaseUrl`. */
  cells: ReadonlyMap<string, string>;
  /** Where the RPC listens: HTTP/2. */
  port: number;
  /** Undefined: that port is not encrypted. */
  tls: PortTls | undefined;
  /** Where /healthz, /readyz and /metrics listen: HTTP/1.1. */
  httpPort: number;
  /** The interface of these two ports. Undefined: all. */
  host: string | undefined;
  /** How long this process still serves after SIGTERM, while /readyz answers 503. */
  drainSeconds: number;
  /** The token that /metrics requires from callers on other machines. Undefined: only this machine may read it. */
  metricsToken: string | undefined;
  /** Where agents reach this process; other processes hand it out. Undefined: http://127.0.0.1:<port>. */
  advertisedUrl: string | undefined;
  /** Where AdminService listens, which only the web app and the worker call: HTTP/2. */
  adminListen: { host: string; port: number };
  /** Undefined: that port is not encrypted. */
  adminTls: PortTls | undefined;
  /** Where the web app and the worker reach this process; other processes hand it out. Undefined: http://127.0.0.1:<port>. */
  adminAdvertisedUrl: string | undefined;
  /** Verify the tokens of the web app and the worker. */
  adminKeys: RootSecrets;
  /** Root of the keys for message browser tokens. The web app has the same. */
  browseKeys: RootSecrets;
  /** Root of the secrets with which agents of one zone know each other. */
  peerKeys: RootSecrets;
  /** Addresses or CIDR ranges of load balancers whose x-forwarded-for is trusted. */
  trustedProxies: string[];
  leaseTtlMs: number;
  initialRebalanceDelayMs: number;
  /** The rules level to which this process raises clusters when it opens them. */
  raiseRulesTo: RulesVersion;
  /** How long to keep journal entries that recovery no longer needs. */
  journalKeptMs: number;
  /**
   * How long objects stay that no partition refers to any more. A database that is restored to a point in this window finds every object
   * that it names.
   */
  restoreWindowMs: number;
  /**
   * Objects that the cluster does not know may be deleted from this age on. Null: none may, for example while a journal or a bucket is
   * being restored.
   */
  orphanAgeMs: number | null;
  /** Merged files from a window of this length are merged once more, into long runs. */
  mergeWindowMs: number;
  /** How much of the machine's memory this process may use. */
  memoryMib: number;
  /** How much of it the open clusters of one organization may take. */
  stateBudget: StateBudgetSettings;
  /** The rate limits of clusters and keys. */
  budgets: BudgetSettings;
  logLevel: string;
  /** Undefined: tracing is disabled. */
  traces: TraceSettings | undefined;
}

const variables = {
  DATABASE_URL: databaseUrlVariable,
  PENSTOCK_CELLS: cellsVariable,
  PENSTOCK_METADATA_PORT: portVariable.default(7070).meta({ description: 'The port for agents: HTTP/2.' }),
  PENSTOCK_METADATA_HTTP_PORT: portVariable
    .default(7071)
    .meta({ description: 'The port of `/healthz`, `/readyz` and `/metrics`: HTTP/1.1.' }),
  PENSTOCK_METADATA_HOST: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'The interface of these two ports.', defaultText: 'all' }),
  PENSTOCK_METADATA_TLS_CERT: z.string().optional().meta({
    description:
      'A file with the certificate of the port for agents and its chain, in PEM. Read again every 10 seconds. Without it the port is not encrypted: put a proxy that is in front of it.',
  }),
  PENSTOCK_METADATA_TLS_KEY: z
    .string()
    .optional()
    .meta({ description: 'A file with the key of that certificate, in PEM.' }),
  PENSTOCK_METADATA_DRAIN_SECONDS: drainSecondsVariable,
  PENSTOCK_METRICS_TOKEN: metricsTokenVariable,
  PENSTOCK_METADATA_ADVERTISED_URL: httpUrlVariable.optional().meta({
    description:
      'Where agents reach this process and no other one. Other processes hand it out. Needed unless `PENSTOCK_METADATA_HOST` is loopback.',
    defaultText: 'the port on loopback',
  }),
  PENSTOCK_TRUSTED_PROXIES: trustedProxiesVariable,
  PENSTOCK_METADATA_ADMIN_LISTEN: addressVariable.meta({
    description: 'Address of the port for the control plane, as `IP:PORT`. Who may reach it is your decision.',
    defaultText: '`127.0.0.1:7072`',
  }),
  PENSTOCK_METADATA_ADMIN_ADVERTISED_URL: httpUrlVariable.optional().meta({
    description:
      'Where the web app and the worker reach this process and no other one. Other processes hand it out. Needed unless `PENSTOCK_METADATA_ADMIN_LISTEN` is loopback.',
    defaultText: 'the port on loopback',
  }),
  PENSTOCK_METADATA_ADMIN_TLS_CERT: z.string().optional().meta({
    description:
      'A file with the certificate of the port for the control plane and its chain, in PEM. Read again every 10 seconds.',
  }),
  PENSTOCK_METADATA_ADMIN_TLS_KEY: z
    .string()
    .optional()
    .meta({ description: 'A file with the key of that certificate, in PEM.' }),
  PENSTOCK_METADATA_ADMIN_TLS_CLIENT_CA: z.string().optional().meta({
    description: 'A file with the authorities of callers, in PEM. With it, callers need a certificate.',
  }),
  PENSTOCK_ADMIN_KEYS: secretsVariable.meta({
    description: 'Verify the tokens of the web app and the worker: `id:secret`, separated by commas.',
    isSecret: true,
  }),
  PENSTOCK_BROWSE_KEYS: secretsVariable.meta({
    description: 'Root of the keys for message browser tokens. The web app has the same.',
    isSecret: true,
  }),
  PENSTOCK_PEER_KEYS: secretsVariable.meta({
    description: 'Root of the secrets with which agents of one zone know each other.',
    isSecret: true,
  }),
  PENSTOCK_METADATA_LEASE_TTL_MS: milliseconds(1_000, 60_000, 5_000).meta({
    description:
      'How long a cluster has no owner after its process died, in milliseconds. With less than a second, a pause of the process would cost it its leases.',
  }),
  PENSTOCK_GROUP_INITIAL_REBALANCE_DELAY_MS: milliseconds(0, 60_000, 500).meta({
    description:
      "Kafka's `group.initial.rebalance.delay.ms`, which defaults to 3 s there. Half a second suffices because agents are few hops away.",
  }),
  PENSTOCK_METADATA_RULES: rulesVariable.default(NEWEST_RULES).meta({
    description: 'The rules level to which this process raises clusters when it opens them (decision 0004).',
    defaultText: 'the newest',
  }),
  PENSTOCK_JOURNAL_KEPT_DAYS: z
    .string()
    .regex(/^\d{1,4}$/, 'expected a number of days, 0 to 9999')
    .transform(Number)
    .default(1)
    .meta({
      description:
        'Days for which journal entries stay that recovery no longer needs. A busy cluster writes tens of GB a day. The data behind a bill is kept for good in its meter blocks.',
    }),
  PENSTOCK_RESTORE_WINDOW_HOURS: z
    .string()
    .regex(/^\d{1,4}$/, 'expected a number of hours, 0 to 9999')
    .transform(Number)
    .default(24)
    .meta({
      description:
        'Hours for which objects stay that no partition refers to any more: longer than the time for which the database can be restored. Costs storage for what is written in this time, as often as it is merged.',
    }),
  PENSTOCK_METADATA_ORPHAN_COLLECTION: z.enum(['on', 'off']).default('on').meta({
    description:
      'Whether objects that no cluster knows are deleted: `on` or `off`. Turn it off while a journal or a bucket is being restored.',
  }),
  PENSTOCK_METADATA_MERGE_WINDOW_MS: milliseconds(1_000, DAY_MS, MERGE_POLICY.windowMs).meta({
    description:
      'Merged files from a window of this length, in milliseconds, are merged once more into long runs. Shorter windows are for tests and benchmarks.',
  }),
  PENSTOCK_METADATA_BUDGETS: budgetsVariable.meta({
    description: 'Rate limits of clusters and keys, as JSON: see the page of the metadata service.',
    defaultText: '`{}`',
  }),
  PENSTOCK_METADATA_MEMORY_MIB: memoryVariable.default(defaultMemoryMib).meta({
    description: "How much of the machine's memory this process may use, in MiB.",
    defaultText: "half of the machine's memory, or 90 % of the container's limit",
  }),
  PENSTOCK_METADATA_ORGANIZATION_MEMORY_MIB: stateVariable.optional().meta({
    description: 'How much of it the open clusters of one organization may take, in MiB.',
    defaultText: 'a quarter',
  }),
  PENSTOCK_METADATA_TRIAL_MEMORY_MIB: stateVariable.optional().meta({
    description: 'The same limit for an organization without a payment method.',
    defaultText: 'a sixteenth',
  }),
  PENSTOCK_LOG_LEVEL: logLevelVariable,
};

const tracesSwitch = {
  PENSTOCK_TRACES: flagVariable.meta({
    description: 'Sends traces to a collector. Only then are the variables of OpenTelemetry read.',
  }),
};

/** Every variable of the program. */
export const metadataVariables = { ...variables, ...tracesSwitch, ...traceVariables };

/** @throws AppError that names every invalid variable. */
export function readSettings(environment: Environment): Settings {
  const env = parseEnv(variables, environment);
  const tls = tlsOf('agents', 'PENSTOCK_METADATA_TLS', {
    cert: env.PENSTOCK_METADATA_TLS_CERT,
    key: env.PENSTOCK_METADATA_TLS_KEY,
  });
  const adminTls = tlsOf('the control plane', 'PENSTOCK_METADATA_ADMIN_TLS', {
    cert: env.PENSTOCK_METADATA_ADMIN_TLS_CERT,
    key: env.PENSTOCK_METADATA_ADMIN_TLS_KEY,
    clientCa: env.PENSTOCK_METADATA_ADMIN_TLS_CLIENT_CA,
  });
  requireReachable('PENSTOCK_METADATA_ADVERTISED_URL', {
    url: env.PENSTOCK_METADATA_ADVERTISED_URL,
    host: env.PENSTOCK_METADATA_HOST,
    hostVariable: 'PENSTOCK_METADATA_HOST',
    tls,
  });
  requireReachable('PENSTOCK_METADATA_ADMIN_ADVERTISED_URL', {
    url: env.PENSTOCK_METADATA_ADMIN_ADVERTISED_URL,
    host: env.PENSTOCK_METADATA_ADMIN_LISTEN.host,
    hostVariable: 'PENSTOCK_METADATA_ADMIN_LISTEN',
    tls: adminTls,
  });
  return {
    databaseUrl: env.DATABASE_URL,
    cells: cellUrls(env.DATABASE_URL, env.PENSTOCK_CELLS),
    port: env.PENSTOCK_METADATA_PORT,
    tls,
    httpPort: env.PENSTOCK_METADATA_HTTP_PORT,
    host: env.PENSTOCK_METADATA_HOST,
    drainSeconds: env.PENSTOCK_METADATA_DRAIN_SECONDS,
    metricsToken: env.PENSTOCK_METRICS_TOKEN,
    advertisedUrl: env.PENSTOCK_METADATA_ADVERTISED_URL,
    adminListen: env.PENSTOCK_METADATA_ADMIN_LISTEN,
    adminTls,
    adminAdvertisedUrl: env.PENSTOCK_METADATA_ADMIN_ADVERTISED_URL,
    adminKeys: env.PENSTOCK_ADMIN_KEYS,
    browseKeys: env.PENSTOCK_BROWSE_KEYS,
    peerKeys: env.PENSTOCK_PEER_KEYS,
    trustedProxies: env.PENSTOCK_TRUSTED_PROXIES,
    leaseTtlMs: env.PENSTOCK_METADATA_LEASE_TTL_MS,
    initialRebalanceDelayMs: env.PENSTOCK_GROUP_INITIAL_REBALANCE_DELAY_MS,
    raiseRulesTo: env.PENSTOCK_METADATA_RULES,
    journalKeptMs: env.PENSTOCK_JOURNAL_KEPT_DAYS * DAY_MS,
    restoreWindowMs: env.PENSTOCK_RESTORE_WINDOW_HOURS * HOUR_MS,
    orphanAgeMs: env.PENSTOCK_METADATA_ORPHAN_COLLECTION === 'on' ? ORPHAN_AGE_MS : null,
    mergeWindowMs: env.PENSTOCK_METADATA_MERGE_WINDOW_MS,
    memoryMib: env.PENSTOCK_METADATA_MEMORY_MIB,
    stateBudget: {
      organizationMib: env.PENSTOCK_METADATA_ORGANIZATION_MEMORY_MIB,
      trialMib: env.PENSTOCK_METADATA_TRIAL_MEMORY_MIB,
    },
    budgets: env.PENSTOCK_METADATA_BUDGETS,
    logLevel: env.PENSTOCK_LOG_LEVEL,
    traces: readTraceSettings(environment),
  };
}

interface TlsFiles {
  cert: string | undefined;
  key: string | undefined;
  clientCa?: string | undefined;
}

/** @param callers of the port, for the message */
function tlsOf(callers: string, prefix: string, { cert, key, clientCa }: TlsFiles): PortTls | undefined {
  if (cert !== undefined && key !== undefined) {
    return { certFile: cert, keyFile: key, clientCaFile: clientCa };
  }
  if (cert === undefined && key === undefined && clientCa === undefined) {
    return undefined;
  }
  // Without both files the port would be open in the clear although somebody meant to protect it.
  throw unusable(
    `TLS of the port for ${callers} needs ${prefix}_CERT and ${prefix}_KEY.`,
    `Set both, or none of the variables that start with ${prefix}, and start again.`,
  );
}

interface Advertised {
  url: string | undefined;
  /** The interface that the port listens on. Undefined: all. */
  host: string | undefined;
  hostVariable: string;
  tls: PortTls | undefined;
}

/** Other processes send callers to the advertised URL. On another machine, loopback would be a wrong process or none. */
function requireReachable(variable: string, { url, host, hostVariable, tls }: Advertised): void {
  if (url === undefined && !isLoopback(host)) {
    throw unusable(
      `${variable} is not set, and ${hostVariable} is not loopback: callers would be sent to their own machine.`,
      `Set ${variable} to the URL of this very process, such as ${tls === undefined ? 'http' : 'https'}://m1.example.com:7070, or set ${hostVariable} to loopback.`,
    );
  }
  if (url !== undefined && tls !== undefined && new URL(url).protocol !== 'https:') {
    throw unusable(`${variable} is not an https URL, but its port has a certificate.`, `Start it with https://.`);
  }
}

function isLoopback(host: string | undefined): boolean {
  return host !== undefined && /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);
}

function unusable(problem: string, remedy: string): AppError {
  return new AppError({
    kind: 'invalid-input',
    code: 'environment_invalid',
    message: `The environment is not usable: ${problem}`,
    remedy,
  });
}

/**
 * The settings from OpenTelemetry's variables, if tracing is enabled.
 * @throws AppError that names every invalid variable.
 */
export function readTraceSettings(environment: Environment): TraceSettings | undefined {
  const { PENSTOCK_TRACES: isOn } = parseEnv(tracesSwitch, environment);
  return isOn ? traceSettings(parseEnv(traceVariables, environment)) : undefined;
}
