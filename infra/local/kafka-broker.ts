// One Apache Kafka broker (KRaft, single node) on this machine, for comparison in client tests and the benchmark.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '@penstock/servers/free-port';
import { lastLogLines } from './managed-process.ts';
import { kafkaJars } from './tools.ts';

export interface KafkaBroker {
  bootstrap: string;
  pid: number;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/**
 * Starts a broker with its data in `folder`, which is emptied first. `heap` is Java's -Xmx value. `moreSettings` are lines of its properties,
 * which override those here.
 */
export async function startKafkaBroker(
  folder: string,
  heap = '1g',
  moreSettings: readonly string[] = [],
): Promise<KafkaBroker> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const [port, controllerPort] = [await freePort(), await freePort()];
  const settings = join(folder, 'server.properties');
  await writeFile(
    settings,
    [
      'process.roles=broker,controller',
      'node.id=1',
      `controller.quorum.voters=1@127.0.0.1:${controllerPort}`,
      `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
      `advertised.listeners=PLAINTEXT://127.0.0.1:${port}`,
      'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
      'controller.listener.names=CONTROLLER',
      'inter.broker.listener.name=PLAINTEXT',
      `log.dirs=${join(folder, 'data')}`,
      'offsets.topic.replication.factor=1',
      'transaction.state.log.replication.factor=1',
      'transaction.state.log.min.isr=1',
      'group.initial.rebalance.delay.ms=0',
      'num.network.threads=3',
      'num.io.threads=8',
      ...moreSettings,
    ].join('\n'),
  );
  const classPath = join(await kafkaJars(), '*');
  const logFile = join(folder, 'broker.log');
  const log = await open(logFile, 'a');
  const clusterId = Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url');
  const run = (main: string, args: string[], flags: string[] = []) =>
    spawn('java', [...flags, '-cp', classPath, main, ...args], { stdio: ['ignore', log.fd, log.fd] });
  try {
    // With an equals sign, because an id that begins with a dash would be parsed as an option.
    const format = run('kafka.tools.StorageTool', ['format', `--cluster-id=${clusterId}`, '-c', settings]);
    const code = await new Promise<number | null>((resolve) => format.once('exit', resolve));
    if (code !== 0) {
      throw new Error(`Kafka's storage could not be prepared:\n${await lastLogLines(logFile, 10)}`);
    }
    const broker = run(
      'kafka.Kafka',
      [settings],
      [`-Xmx${heap}`, `-Xms${heap}`, '-XX:+UseG1GC', '-XX:MaxGCPauseMillis=20'],
    );
    const exited = new Promise<void>((resolve) => broker.once('exit', () => resolve()));
    const deadlineMs = Date.now() + START_TIMEOUT_MS;
    while (!(await accepts(port))) {
      if (broker.exitCode !== null || Date.now() > deadlineMs) {
        broker.kill('SIGKILL');
        throw new Error(`Apache Kafka did not start:\n${await lastLogLines(logFile, 10)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return {
      bootstrap: `127.0.0.1:${port}`,
      pid: broker.pid ?? 0,
      stop: async () => {
        broker.kill('SIGTERM');
        await exited;
        await rm(folder, { recursive: true, force: true });
      },
    };
  } finally {
    await log.close();
  }
}
