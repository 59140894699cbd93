// `pnpm --filter @penstock/agent test`: compiles the tests of all crates with clippy and runs them.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { clippyEnvironment } from './clippy.ts';
import { root } from './paths.ts';
import { complain } from './terminal.ts';
import { versitygw } from './tools.ts';

const agentFolder = join(root, 'apps/agent');

/**
 * Crates that are tested separately. Their property-testing library enables features of other libraries that nothing else needs: in one run
 * with the rest, most of the agent's dependencies would be compiled again.
 */
const propertyTested = ['penstock-wire', 'penstock-telemetry'];

interface AgentTests {
  args: string[];
  cwd: string;
  env: Record<string, string>;
}

/**
 * Tests compiled by clippy, with lints as errors. This saves a separate `cargo clippy` pass over all dependencies. It reuses what the build
 * of the binary compiled, and leaves the binary alone because the tests have their own folder.
 */
function agentTests(packages: string[]): AgentTests {
  return {
    // Without the tests of documentation: there are none, and looking for them compiles each crate once more.
    args: ['test', '--config', 'test-profile.toml', '--release', '--locked', '--tests', ...packages],
    cwd: agentFolder,
    env: {
      CARGO_BUILD_BUILD_DIR: join(agentFolder, 'target'),
      CARGO_TARGET_DIR: join(agentFolder, 'target/tests'),
      ...clippyEnvironment,
    },
  };
}

/**
 * A few seeds and all scenarios of the agents' simulation. A workspace of its own, so cargo compiles the agent's crates once more, with the
 * feature `simulation`, and none of their dependencies.
 */
const testsOfSimulation: AgentTests = {
  args: ['test', '--config', '../../apps/agent/test-profile.toml', '--release', '--locked'],
  cwd: join(root, 'e2e/agent-sim'),
  env: agentTests([]).env,
};
const testsOfMostCrates = agentTests(['--workspace', ...propertyTested.map((crate) => `--exclude=${crate}`)]);
const testsOfPropertyTestedCrates = agentTests(propertyTested.map((crate) => `--package=${crate}`));

function run({ args, cwd, env }: AgentTests): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn('cargo', args, { cwd, env: { ...process.env, ...env }, stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

// The tests start it.
await versitygw().catch((error: unknown) => {
  complain(error);
  process.exit(1);
});
for (const tests of [testsOfMostCrates, testsOfPropertyTestedCrates, testsOfSimulation]) {
  // Crates that fail do not hide others that fail, too.
  process.exitCode = (await run(tests)) || process.exitCode;
}
