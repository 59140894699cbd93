// Finds an installed Rust toolchain of the version that rust-toolchain.toml pins. Plain JavaScript: bootstrap.mjs uses it on any Node.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

function outputOf(command, args, env = process.env) {
  // Outside the repository: rustup must not act on the pin before it is known whether that is necessary.
  const { status, stdout } = spawnSync(command, args, { cwd: tmpdir(), env, encoding: 'utf8' });
  return status === 0 ? stdout : '';
}

/**
 * The toolchain to name in RUSTUP_TOOLCHAIN: the default one, when it is of the pinned version and none is installed under the version's
 * own name. rustup would otherwise download the same compiler again, or fail without a network.
 * @param root the repository
 * @returns undefined when rustup finds the right one by itself, has to download it, or is not there
 */
export function toolchainOfPinnedVersion(root, env = process.env) {
  const [, version] = /^channel = "(.+)"$/m.exec(readFileSync(join(root, 'rust-toolchain.toml'), 'utf8')) ?? [];
  if (version === undefined || env.RUSTUP_TOOLCHAIN) {
    return undefined;
  }
  const installed = outputOf('rustup', ['toolchain', 'list'], env).split('\n');
  if (installed.some((name) => name.startsWith(`${version}-`))) {
    return undefined;
  }
  const [byDefault = ''] = outputOf('rustup', ['default'], env).split(' ');
  return byDefault !== '' && outputOf('rustc', ['--version'], env).startsWith(`rustc ${version} `)
    ? byDefault
    : undefined;
}
