// Entry of the root's npm scripts. Plain JavaScript without dependencies, because it runs on whatever Node the machine
// has. It prepares the repository for the pinned Node and then starts that.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toolchainOfPinnedVersion } from './rust-toolchain.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const pnpm = 'pnpm@10.34.9';
const MINIMUM_NODE_MAJOR = 20;
/** Dependencies 1.5 GiB, the Rust build 2 GiB, the web build and some space for data. */
const NEEDED_DISK_BYTES = 6 * 1024 ** 3;

const programs = {
  start: 'infra/local/start.ts',
  test: 'infra/local/test.ts',
  admin: 'infra/local/admin.ts',
  bench: 'infra/local/bench.ts',
  fault: 'infra/local/fault.ts',
  sim: 'e2e/metadata-sim/src/main.ts',
  sbom: 'infra/local/sbom.ts',
};

function fail(problem, remedy) {
  console.error(`\n✗ ${problem}\n  ${remedy}\n`);
  process.exit(1);
}

function say(text) {
  console.log(`• ${text}`);
}

function works(command, args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

function checkMachine() {
  if (Number.parseInt(process.versions.node, 10) < MINIMUM_NODE_MAJOR) {
    fail(
      `Node ${process.versions.node} is too old to start with.`,
      `Install Node ${MINIMUM_NODE_MAJOR} or newer (https://nodejs.org), then run the command again.`,
    );
  }
  const disk = statfsSync(root);
  const freeBytes = disk.bavail * disk.bsize;
  if (!existsSync(join(root, 'node_modules')) && freeBytes < NEEDED_DISK_BYTES) {
    fail(
      `Only ${(freeBytes / 1024 ** 3).toFixed(1)} GiB are free on the disk of ${root}; the first build needs ${NEEDED_DISK_BYTES / 1024 ** 3} GiB.`,
      'Free some space, or clone the repository to another disk.',
    );
  }
  const toolchain = toolchainOfPinnedVersion(root);
  if (toolchain !== undefined) {
    // For everything that this process starts.
    process.env.RUSTUP_TOOLCHAIN = toolchain;
  }
  if (!works('cargo', ['--version'])) {
    fail(
      'Cargo is missing: the agent is written in Rust.',
      "Install it from https://rustup.rs (curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh), open a new terminal, run the command again.",
    );
  }
  if (!works(process.env.CC ?? 'cc', ['--version'])) {
    fail(
      'A C compiler is missing: Rust links with it.',
      'Debian, Ubuntu: apt-get install build-essential · Fedora: dnf install gcc · macOS: xcode-select --install',
    );
  }
}

/** Hash of the files that determine what an install puts into node_modules. */
function manifestsHash() {
  const hash = createHash('sha256');
  const foldersIn = (folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
  const folders = [
    '',
    ...foldersIn('apps'),
    ...foldersIn('packages'),
    'prisma',
    'infra/local',
    'e2e',
    ...foldersIn('e2e'),
  ];
  const files = [
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    '.npmrc',
    ...folders.map((folder) => join(folder, 'package.json')),
  ];
  for (const file of files.filter((name) => existsSync(join(root, name)))) {
    hash.update(file).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

/** Runs `work` unless it has already run for these inputs. */
function once(stampFile, hash, work) {
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hash) {
    return;
  }
  work();
  // In the folder that the work fills, so that deleting the folder deletes the stamp too.
  writeFileSync(stampFile, hash);
}

function runOrFail(what, command, args, remedy, env = {}) {
  say(what);
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  if (status !== 0) {
    fail(`${what}: failed${error === undefined ? '' : ` (${error.message})`}.`, remedy);
  }
}

function pinnedNode() {
  return join(root, 'node_modules', 'node', 'bin', 'node');
}

function prepare() {
  once(join(root, 'node_modules', '.penstock-installed'), manifestsHash(), () =>
    runOrFail(
      'Installing the dependencies',
      'npx',
      ['--yes', pnpm, 'install', '--frozen-lockfile'],
      'Look at the lines above: most often the package registry could not be reached. Run the command again.',
      // pnpm must not ask whether it may replace a node_modules that another tool made.
      { CI: 'true' },
    ),
  );
  if (!existsSync(pinnedNode())) {
    fail('The pinned Node was not installed.', 'Delete node_modules and run the command again.');
  }
  const schema = 'prisma/schema.prisma';
  generate('the database client', 'packages/database', 'generated', [schema, 'packages/database/scripts/generate.mjs']);
  const protocol = 'packages/metadata-protocol';
  const contract = readdirSync(join(root, protocol, 'proto'), { recursive: true }).filter((name) =>
    name.endsWith('.proto'),
  );
  generate("the agents' RPC", protocol, 'src/gen', [
    `${protocol}/buf.gen.yaml`,
    ...contract.map((name) => `${protocol}/proto/${name}`),
  ]);
}

/** Runs the script `generate` of a package when the files that it reads have changed. An install has run it once. */
function generate(what, folder, output, inputs) {
  const hash = createHash('sha256').update(manifestsHash());
  for (const file of inputs) {
    hash.update(readFileSync(join(root, file)));
  }
  once(join(root, folder, output, '.penstock-generated'), hash.digest('hex'), () =>
    runOrFail(
      `Generating ${what}`,
      pinnedNode(),
      ['node_modules/pnpm/bin/pnpm.cjs', '--silent', '--dir', folder, 'run', 'generate'],
      `Look at the lines above: ${inputs.join(', ')} has an error.`,
    ),
  );
}

/** Parent of a process; undefined when the process is gone, or without /proc. */
function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses and may contain spaces.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** This process and its ancestors, up to the child of npm; empty when npm did not start this process. */
function ancestorsUpToNpm() {
  const chain = [];
  for (let pid = process.pid; chain.length < 8; ) {
    const parent = parentOf(pid);
    if (parent === undefined || parent <= 1) {
      return [];
    }
    chain.push({ pid, parent });
    if (/^npm( |\0|$)|\/npm/.test(readFileSync(`/proc/${parent}/cmdline`, 'utf8'))) {
      return chain;
    }
    pid = parent;
  }
  return [];
}

function handOver(program, args) {
  // The IPC channel tells the program when this process is gone, however it ended.
  const child = spawn(pinnedNode(), ['--disable-warning=ExperimentalWarning', program, ...args], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // Ctrl-C reaches the program from the terminal as well, but a signal to this process alone does not: pass it on. The program treats a
  // second stop as the first.
  process.on('SIGINT', () => child.kill('SIGINT'));
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGTERM'));
  // A killed npm passes nothing on, and neither does a killed shell between npm and this process: exit when one of them does.
  const chain = ancestorsUpToNpm();
  if (chain.length > 0) {
    setInterval(() => {
      if (chain.some(({ pid, parent }) => parentOf(pid) !== parent)) {
        child.kill('SIGTERM');
      }
    }, 500).unref();
  }
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
}

const [name, ...args] = process.argv.slice(2);
const program = name === 'sim' && args.includes('--agents') ? 'e2e/agent-sim/main.ts' : programs[name];
if (program === undefined) {
  fail(`There is no command "${name}".`, `Commands: ${Object.keys(programs).join(', ')}`);
}
checkMachine();
prepare();
handOver(program, args);
