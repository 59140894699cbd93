// The SBOMs of what we ship and run, compared with the lock files and with what is installed.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { cargoParts, type Inventory, pnpmParts } from '@penstock/sbom';
import { schemaFaults } from '@penstock/sbom/testing';
import { describe, expect, test } from 'vitest';
import { root } from './paths.ts';
import { agentFolder, agentInventory, servicePlatform, services, writeServiceSboms } from './sbom.ts';

const run = promisify(execFile);

function namesOf({ parts }: Inventory): string[] {
  return parts.map(({ group, name, version }) => `${group === null ? '' : `${group}/`}${name} ${version}`).sort();
}

interface CargoMetadata {
  packages: { id: string; name: string; version: string; source: string | null; targets: { kind: string[] }[] }[];
  resolve: { nodes: { id: string; deps: { pkg: string; dep_kinds: { kind: string | null }[] }[] }[] };
}

/** Crates that `cargo metadata` resolves for the binary, by a walk of our own. */
async function resolvedCrates(): Promise<string[]> {
  const { stdout: version } = await run('rustc', ['-vV']);
  const [, host = ''] = /^host: (.+)$/m.exec(version) ?? [];
  const args = ['metadata', '--locked', '--format-version', '1', '--filter-platform', host];
  const { stdout } = await run('cargo', args, { cwd: agentFolder, maxBuffer: 67_108_864 });
  const { packages, resolve } = JSON.parse(stdout) as CargoMetadata;
  const byId = new Map(packages.map((one) => [one.id, one]));
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const reached = new Set<string>();
  const visit = (id: string): void => {
    const crate = byId.get(id);
    if (reached.has(id) || crate?.targets.some(({ kind }) => kind.includes('proc-macro')) === true) {
      return;
    }
    reached.add(id);
    for (const { pkg, dep_kinds: kinds } of nodes.get(id)?.deps ?? []) {
      if (kinds.some(({ kind }) => kind === null)) {
        visit(pkg);
      }
    }
  };
  visit(packages.find(({ name }) => name === 'penstock-agent')?.id ?? '');
  return [...reached]
    .map((id) => byId.get(id))
    .filter((crate) => crate?.source != null)
    .map((crate) => `${crate?.name} ${crate?.version}`)
    .sort();
}

/** The files that the image's first stage copies from the repository, its work folder, and how it lists its crates. */
async function agentBuildStage(): Promise<{ copied: string[]; workFolder: string; listCrates: string }> {
  const dockerfile = await readFile(join(root, 'infra/docker/agent.Dockerfile'), 'utf8');
  const [, stage = ''] = /^FROM \S+ AS build\n([\s\S]+?)^FROM /m.exec(dockerfile) ?? [];
  const copied = [...stage.matchAll(/^COPY (\S+) \1$/gm)].map(([, path]) => path ?? '');
  const [, workFolder = ''] = /^WORKDIR \/src\/(\S+)$/m.exec(stage) ?? [];
  const [, listCrates = ''] = /^RUN (cargo tree .+) > \/cargo-tree$/m.exec(stage) ?? [];
  expect([copied.length > 0, workFolder, listCrates]).toEqual([true, 'apps/agent', expect.stringMatching(/^cargo/)]);
  return { copied, workFolder, listCrates };
}

/** Packages that Node finds from the service's folder, by the manifests of what is installed. */
function installedPackages(service: string): string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  const visit = (folder: string, isOurs: boolean): void => {
    if (seen.has(folder)) {
      return;
    }
    seen.add(folder);
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (!isOurs) {
      found.add(`${manifest.name} ${manifest.version}`);
    }
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = manifest;
    const wanted = { ...dependencies, ...optionalDependencies, ...peerDependencies, ...peerDependenciesMeta };
    for (const name of Object.keys(wanted)) {
      for (let at = folder; at !== dirname(at); at = dirname(at)) {
        const candidate = join(at, 'node_modules', name);
        if (existsSync(candidate)) {
          const real = realpathSync(candidate);
          visit(real, !real.includes('/node_modules/'));
          break;
        }
      }
    }
  };
  visit(join(root, service), true);
  return [...found].sort();
}

describe('the SBOM of the agent', () => {
  // `cargo metadata` adds features that only tests need. A test in e2e/clients finds what would be missing, in the binary itself.
  test('has no crate for tests or build scripts only', async () => {
    expect(await resolvedCrates()).toEqual(expect.arrayContaining(namesOf(await agentInventory())));
  });

  test('has each crate as the lock file has it, with its checksum', async () => {
    const lock = await readFile(join(agentFolder, 'Cargo.lock'), 'utf8');
    const { parts } = await agentInventory();
    expect(parts.length).toBeGreaterThan(100);
    for (const { name, version, hash } of parts) {
      expect(lock).toContain(`name = "${name}"\nversion = "${version}"\n`);
      expect(lock).toContain(`checksum = "${hash?.content}"`);
    }
  });

  test('lists the same crates for the image, from copied files', async () => {
    const stage = await agentBuildStage();
    const folder = await mkdtemp(join(tmpdir(), 'penstock-image-'));
    try {
      for (const path of stage.copied) {
        const tracked = await run('git', ['ls-files', path], { cwd: root, maxBuffer: 16_777_216 });
        for (const file of tracked.stdout.trim().split('\n')) {
          await cp(join(root, file), join(folder, file));
        }
      }
      const options = { cwd: join(folder, stage.workFolder), maxBuffer: 16_777_216 };
      const tree = await run('sh', ['-c', stage.listCrates], options);
      const lock = await readFile(join(folder, 'apps/agent/Cargo.lock'), 'utf8');
      expect(cargoParts(tree.stdout, lock)).toEqual(await agentInventory());
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe.each(services)('the SBOM of %s', (service) => {
  test('has exactly its packages installed in production', async () => {
    const lock = await readFile(join(root, 'pnpm-lock.yaml'), 'utf8');
    expect(namesOf(pnpmParts(lock, service, servicePlatform))).toEqual(installedPackages(service));
  });
});

test('the SBOMs of the services follow the schema of CycloneDX 1.6', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-sbom-'));
  try {
    const paths = await writeServiceSboms(folder);
    expect(paths).toHaveLength(services.length);
    for (const path of paths) {
      expect(schemaFaults(await readFile(path, 'utf8')), path).toEqual([]);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
