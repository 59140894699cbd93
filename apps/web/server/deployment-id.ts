// The id by which open pages notice that the server is of another deployment than they are.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** Written by Next at the end of a build. */
const BUILT_CONFIG = '.next/required-server-files.json';
const builtConfig = z.object({ config: z.object({ deploymentId: z.string().optional() }) });

/**
 * A build takes its id from `NEXT_DEPLOYMENT_ID`, so that builds of the same source can share one, or makes one up. The
 * server finds it in its build. Next reads its configuration in several processes, which inherit the variable.
 * @param phase Next's: what the configuration is read for
 * @param folder of the web app
 * @returns the setting of Next; empty during development and without a build
 */
export function deploymentId(
  phase: string,
  folder: string,
  environment: Record<string, string | undefined> = process.env,
): { deploymentId?: string } {
  const name = 'NEXT_DEPLOYMENT_ID';
  if (phase === 'phase-production-build') {
    environment[name] ||= randomBytes(8).toString('hex');
  }
  const given = environment[name];
  if (given !== undefined && given !== '') {
    return { deploymentId: given };
  }
  const file = path.join(folder, BUILT_CONFIG);
  // Without a build, Next says so itself.
  if (phase !== 'phase-production-server' || !existsSync(file)) {
    return {};
  }
  const built = builtConfig.parse(JSON.parse(readFileSync(file, 'utf8'))).config.deploymentId;
  return built === undefined ? {} : { deploymentId: built };
}
