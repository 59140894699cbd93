// Paths in this checkout.
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const agentBinary = join(root, 'apps/agent/target/release/penstock');
export const pinnedNode = join(root, 'node_modules/node/bin/node');

/** Data of a local system: database, objects, logs, secrets. PENSTOCK_HOME moves it, e.g. for tests next to a running one. */
export function penstockHome(environment: NodeJS.ProcessEnv = process.env): string {
  return resolve(environment['PENSTOCK_HOME'] ?? join(root, '.penstock'));
}

/** Test tools that the repository installs itself (jars, Python packages, Go programs); shared by all checkouts. */
export function toolCache(environment: NodeJS.ProcessEnv = process.env): string {
  return environment['PENSTOCK_TOOLS'] ?? join(homedir(), '.cache', 'penstock-tools');
}
