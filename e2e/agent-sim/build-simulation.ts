// Builds the simulation of the agents.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** Returns the program.
 * @throws Error when it does not compile */
export function buildSimulation(): string {
  const args = ['build', '--release', '--locked', '--config', '../../apps/agent/test-profile.toml'];
  const { status } = spawnSync('cargo', args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) {
    throw new Error('the simulation does not compile');
  }
  return join(folder, 'target/release/penstock-agent-sim');
}
