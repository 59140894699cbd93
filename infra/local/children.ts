// How each program of Penstock starts on one machine: its command, its environment, and when it is ready.
import { join } from 'node:path';
import type { ProcessPlan } from './managed-process.ts';
import { agentBinary, pinnedNode, root } from './paths.ts';
import type { LocalSecrets } from './secrets.ts';

/** Settings shared by all programs of one system. */
export interface SystemFacts {
  home: string;
  databaseUrl: string;
  secrets: LocalSecrets;
  /** True for the built-in PostgreSQL: demo credentials exist and mails appear on a mailbox page. */
  isEmbedded: boolean;
  metadataUrls: readonly [string, ...string[]];
  /** The metadata service's ports for the control plane. */
  adminUrls: string[];
  webUrl: string;
  /** Additional settings of the web app and the worker, e.g. Stripe's keys. */
  controlPlaneEnv: Record<string, string>;
  /** Additional settings of the metadata service, e.g. its trace endpoint. */
  metadataEnv: Record<string, string>;
}

/** Ports of one metadata process, all on loopback. */
export interface MetadataPorts {
  port: number;
  adminPort: number;
  httpPort: number;
}

export interface AgentFacts {
  name: string;
  agentKey: string;
  clusterId: string;
  kafkaPort: number;
  httpPort: number;
  /** file://…, s3://…, gs://…, az://… or mem:// */
  bucket: string;
  zone: string | undefined;
  /** Additional settings, e.g. the flush interval or an S3 endpoint. */
  env: Record<string, string>;
}

/** No program here is reachable from other machines: the demo credentials are not secret. */
const LOOPBACK = '127.0.0.1';

const nodeFlags = ['--disable-warning=ExperimentalWarning', '--enable-source-maps'];

function common(facts: SystemFacts, name: string): Pick<ProcessPlan, 'name' | 'logFile'> {
  return { name, logFile: join(facts.home, 'logs', `${name}.log`) };
}

export function metadataPlan(facts: SystemFacts, index: number, ports: MetadataPorts): ProcessPlan {
  const { port, adminPort, httpPort } = ports;
  return {
    ...common(facts, index === 0 ? 'metadata' : `metadata-${index + 1}`),
    command: pinnedNode,
    args: [...nodeFlags, 'src/main.ts'],
    cwd: join(root, 'apps/metadata'),
    env: {
      NODE_ENV: 'production',
      DATABASE_URL: facts.databaseUrl,
      PENSTOCK_METADATA_PORT: String(port),
      PENSTOCK_METADATA_HTTP_PORT: String(httpPort),
      PENSTOCK_METADATA_HOST: LOOPBACK,
      PENSTOCK_METADATA_ADVERTISED_URL: `http://127.0.0.1:${port}`,
      PENSTOCK_METADATA_ADMIN_LISTEN: `127.0.0.1:${adminPort}`,
      PENSTOCK_ADMIN_KEYS: facts.secrets.adminKeys,
      PENSTOCK_BROWSE_KEYS: facts.secrets.browseKeys,
      PENSTOCK_PEER_KEYS: facts.secrets.peerKeys,
      ...facts.metadataEnv,
    },
    readyUrl: `http://127.0.0.1:${httpPort}/readyz`,
    readyTimeoutMs: 60_000,
    stopTimeoutMs: 25_000,
  };
}

export function workerPlan(facts: SystemFacts, healthPort: number): ProcessPlan {
  return {
    ...common(facts, 'worker'),
    command: pinnedNode,
    args: [...nodeFlags, 'src/main.ts'],
    cwd: join(root, 'apps/worker'),
    env: {
      ...controlPlaneEnvironment(facts),
      PENSTOCK_WORKER_PORT: String(healthPort),
      PENSTOCK_WORKER_HOST: LOOPBACK,
    },
    readyUrl: `http://127.0.0.1:${healthPort}/readyz`,
    readyTimeoutMs: 60_000,
    stopTimeoutMs: 15_000,
  };
}

export function webPlan(facts: SystemFacts, port: number): ProcessPlan {
  return {
    ...common(facts, 'web'),
    command: pinnedNode,
    args: ['--disable-warning=ExperimentalWarning', 'server/main.ts'],
    cwd: join(root, 'apps/web'),
    env: {
      ...controlPlaneEnvironment(facts),
      NEXT_TELEMETRY_DISABLED: '1',
      PENSTOCK_WEB_PORT: String(port),
      PENSTOCK_WEB_HOST: LOOPBACK,
    },
    readyUrl: `http://127.0.0.1:${port}/readyz`,
    readyTimeoutMs: 60_000,
    stopTimeoutMs: 10_000,
  };
}

/** Settings for mail, payments and company details, passed through from the environment of the system's starter. */
const inheritedPrefixes = ['SMTP_', 'STRIPE_', 'PENSTOCK_SELLER_', 'PENSTOCK_TRANSFER_'];

/** Settings shared by the web app and the worker. */
function controlPlaneEnvironment(facts: SystemFacts): Record<string, string> {
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    inheritedPrefixes.some((prefix) => name.startsWith(prefix)) && value !== undefined ? [[name, value] as const] : [],
  );
  return {
    NODE_ENV: 'production',
    DATABASE_URL: facts.databaseUrl,
    PENSTOCK_WEB_URL: facts.webUrl,
    PENSTOCK_METADATA_ADMIN_URL: facts.adminUrls.join(','),
    PENSTOCK_PUBLIC_METADATA_URL: facts.metadataUrls[0],
    PENSTOCK_ADMIN_KEYS: facts.secrets.adminKeys,
    PENSTOCK_BROWSE_KEYS: facts.secrets.browseKeys,
    PENSTOCK_AUTH_SECRET: facts.secrets.authSecret,
    PENSTOCK_EMBEDDED: facts.isEmbedded ? '1' : '0',
    ...Object.fromEntries(inherited),
    ...facts.controlPlaneEnv,
  };
}

export function agentPlan(facts: SystemFacts, agent: AgentFacts): ProcessPlan {
  return {
    ...common(facts, agent.name),
    command: agentBinary,
    args: ['agent'],
    cwd: facts.home,
    env: {
      // In the environment, not among the arguments, which every user of the machine can read.
      PENSTOCK_AGENT_KEY: agent.agentKey,
      PENSTOCK_CLUSTER: agent.clusterId,
      PENSTOCK_METADATA_URL: facts.metadataUrls.join(','),
      PENSTOCK_BUCKET: agent.bucket,
      // The listeners of an agent that has several are among its own settings.
      ...(agent.env['PENSTOCK_LISTENER'] === undefined ? { PENSTOCK_LISTEN: `127.0.0.1:${agent.kafkaPort}` } : {}),
      PENSTOCK_HTTP_LISTEN: `127.0.0.1:${agent.httpPort}`,
      PENSTOCK_INTERNAL_LISTEN: '127.0.0.1:0',
      ...(agent.zone === undefined ? {} : { PENSTOCK_ZONE: agent.zone }),
      ...agent.env,
    },
    readyUrl: `http://127.0.0.1:${agent.httpPort}/readyz`,
    readyTimeoutMs: 60_000,
    // The agent guarantees to flush, commit and answer within 30 s.
    stopTimeoutMs: 35_000,
  };
}
