// Builds the simulation with all mutants, in a copy of the agent that is kept between builds.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Mutant } from './mutants.ts';
import { plantMutants, root } from './plant-mutants.ts';

/** Folders whose content is compiled. */
const COPIED = ['apps/agent', 'e2e/agent-sim'];
/** Read while compiling or by the simulation, and never changed. */
const LINKED = [
  'node_modules',
  'packages',
  'apps/metadata',
  'e2e/metadata-sim',
  'e2e/node_modules',
  'rust-toolchain.toml',
  'package.json',
];
const BUILT = '{target,fuzz}/**';

/** Builds all mutants, and returns the program.
 * @throws Error when it does not compile */
export function buildMutants(mutants: readonly Mutant[]): string {
  const copy = join(root, '.penstock/agent-mutants');
  const planted = plantMutants(mutants);
  for (const folder of COPIED) {
    copyFolder(folder, copy, planted);
  }
  for (const link of LINKED) {
    const path = join(copy, link);
    if (!existsSync(path)) {
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(join(root, link), path);
    }
  }
  const target = join(copy, 'target');
  const build = spawnSync(
    'cargo',
    ['build', '--release', '--locked', '--config', '../../apps/agent/test-profile.toml', '--target-dir', target],
    {
      cwd: join(copy, 'e2e/agent-sim'),
      // Dependencies come from the simulation's own build.
      env: { ...process.env, CARGO_BUILD_BUILD_DIR: join(root, 'e2e/agent-sim/target') },
      stdio: 'inherit',
    },
  );
  if (build.status !== 0) {
    throw new Error('the mutants do not compile');
  }
  return join(target, 'release/penstock-agent-sim');
}

/** Writes only what differs, so that cargo compiles only that. */
function copyFolder(folder: string, copy: string, planted: ReadonlyMap<string, string>): void {
  const files = filesOf(join(root, folder));
  for (const file of files) {
    const path = join(folder, file);
    const to = join(copy, path);
    const text = planted.get(path);
    if (text === undefined && isSame(join(root, path), to)) {
      continue;
    }
    mkdirSync(dirname(to), { recursive: true });
    if (text === undefined) {
      cpSync(join(root, path), to);
    } else if (!existsSync(to) || readFileSync(to, 'utf8') !== text) {
      writeFileSync(to, text);
    }
  }
  for (const file of filesOf(join(copy, folder)).filter((file) => !files.includes(file))) {
    rmSync(join(copy, folder, file));
  }
}

function filesOf(folder: string): string[] {
  const files = globSync('**', { cwd: folder, exclude: [BUILT, 'target', 'fuzz'] });
  return files.filter((file) => statSync(join(folder, file)).isFile());
}

function isSame(from: string, to: string): boolean {
  return existsSync(to) && readFileSync(from).equals(readFileSync(to));
}
