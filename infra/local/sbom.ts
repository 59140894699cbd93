// Writes the SBOMs of what is built here. `npm run sbom` writes those of the services; the agent's build writes that of
// the binary.
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { cargoParts, cargoTreeArguments, cyclonedxOf, type Inventory, type Platform, pnpmParts } from '@penstock/sbom';
import { agentBinary, penstockHome, root } from './paths.ts';

const run = promisify(execFile);

export const agentFolder = join(root, 'apps/agent');
/** Where the build of the agent writes the SBOM of the binary. */
export const agentSbom = `${agentBinary}.cdx.json`;
/** The programs that we run ourselves. */
export const services = ['apps/admin', 'apps/metadata', 'apps/web', 'apps/worker'];
/** The platform of the services in production. */
export const servicePlatform: Platform = { os: 'linux', cpu: 'x64', libc: 'glibc' };

/** The crates in the binary `penstock`, for the platform of this machine. */
export async function agentInventory(): Promise<Inventory> {
  const options = { cwd: agentFolder, maxBuffer: 16_777_216 };
  const [tree, lock] = await Promise.all([
    run('cargo', cargoTreeArguments('penstock-agent'), options),
    readFile(join(agentFolder, 'Cargo.lock'), 'utf8'),
  ]);
  return cargoParts(tree.stdout, lock);
}

async function agentVersion(): Promise<string> {
  const [, version] = /^version = "(.+)"$/m.exec(await readFile(join(agentFolder, 'Cargo.toml'), 'utf8')) ?? [];
  if (version === undefined) {
    throw new Error('apps/agent/Cargo.toml names no version');
  }
  return version;
}

/** Writes the SBOM of the agent's binary to the binary's folder. */
export async function writeAgentSbom(): Promise<void> {
  const subject = { name: 'penstock', version: await agentVersion(), kind: 'application' } as const;
  await writeFile(agentSbom, cyclonedxOf(subject, await agentInventory(), new Date()));
}

/** Writes an SBOM for each service into the folder, and returns their paths. */
export async function writeServiceSboms(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const lock = await readFile(join(root, 'pnpm-lock.yaml'), 'utf8');
  return Promise.all(
    services.map(async (service) => {
      const manifest = JSON.parse(await readFile(join(root, service, 'package.json'), 'utf8')) as { version: string };
      const subject = {
        name: `penstock-${basename(service)}`,
        version: manifest.version,
        kind: 'application',
      } as const;
      const path = join(folder, `${subject.name}.cdx.json`);
      await writeFile(path, cyclonedxOf(subject, pnpmParts(lock, service, servicePlatform), new Date()));
      return path;
    }),
  );
}

if (import.meta.main) {
  for (const path of await writeServiceSboms(join(penstockHome(), 'sbom'))) {
    console.log(path);
  }
}
