// `npm start`: builds what has changed, runs the whole system with a demo organization, and runs until Ctrl-C.
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildAgent, buildWeb } from './build.ts';
import { penstockHome } from './paths.ts';
import { portsFrom, requireFreePorts } from './ports.ts';
import { endLeftovers, processStart } from './process-ledger.ts';
import { messageBrowserOnLoopback, type RunningSystem, startSystem } from './system.ts';
import { complain, LocalError, say, seconds } from './terminal.ts';

const home = penstockHome();
const startedFile = join(home, 'started.json');
const ownerFile = join(home, 'start.pid');

let isOwner = false;

/** Two systems in one folder would share a database and ports, so the second start prints where the first one is. */
async function becomeOwner(): Promise<void> {
  await mkdir(home, { recursive: true });
  const [pid, start] = (await readFile(ownerFile, 'utf8').catch(() => '')).split(' ');
  const isRunning =
    pid !== undefined && start !== undefined && start !== '' && (await processStart(Number(pid))) === start;
  if (isRunning) {
    throw new LocalError(
      `Penstock already runs in ${home} (process ${pid}).`,
      `Use it, end it with \`kill ${pid}\`, or start another one beside it with PENSTOCK_HOME and other ports.`,
    );
  }
  await writeFile(ownerFile, `${process.pid} ${await processStart(process.pid)}`);
  isOwner = true;
}

async function writeStarted(system: RunningSystem): Promise<void> {
  const [agent] = system.agents;
  const started = {
    webUrl: system.webUrl,
    metadataUrl: system.metadata[0]?.url,
    ...(agent === undefined ? {} : { kafkaBootstrap: agent.bootstrap, agentHttpUrl: agent.httpUrl }),
    ...(system.demo === undefined ? {} : { demo: system.demo }),
  };
  await writeFile(startedFile, `${JSON.stringify(started, null, 2)}\n`, { mode: 0o600 });
  await chmod(startedFile, 0o600);
}

function announce(system: RunningSystem, durationMs: number): void {
  const [agent] = system.agents;
  const lines = [`Penstock runs (ready after ${seconds(durationMs)}).`, '', `  Dashboard        ${system.webUrl}`];
  if (system.demo !== undefined) {
    lines.push(`  Demo login       ${system.demo.email}  /  ${system.demo.password}`);
  }
  if (agent !== undefined) {
    lines.push(`  Kafka bootstrap  ${agent.bootstrap}`);
  }
  lines.push(
    `  Metadata         ${system.metadata[0]?.url}`,
    `  Logs             ${join(home, 'logs')}`,
    '',
    'Ctrl-C ends all of it.',
  );
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}

async function main(): Promise<void> {
  const startMs = performance.now();
  await becomeOwner();
  await rm(startedFile, { force: true });
  const ports = portsFrom(process.env);
  const databaseUrl = process.env['DATABASE_URL'] || undefined;
  const memoryMib = process.env['PENSTOCK_METADATA_MEMORY_MIB'];

  let requestStop: (reason: string, exitCode: number) => void = () => undefined;
  const stopRequested = new Promise<{ reason: string; exitCode: number }>((resolve) => {
    requestStop = (reason, exitCode) => resolve({ reason, exitCode });
  });
  process.on('SIGINT', () => requestStop('Stopping', 0));
  process.on('SIGTERM', () => requestStop('Stopping', 0));
  process.on('SIGHUP', () => requestStop('Stopping', 0));
  // The bootstrap process is gone, so no process would pass Ctrl-C on.
  process.on('disconnect', () => requestStop('Stopping', 0));

  const starting = (async (): Promise<RunningSystem> => {
    await buildAgent();
    await buildWeb();
    await endLeftovers(home);
    await requireFreePorts(ports);
    return startSystem({
      home,
      ports,
      databaseUrl,
      metadataEnv: memoryMib === undefined ? {} : { PENSTOCK_METADATA_MEMORY_MIB: memoryMib },
      // Only this machine can reach it, so the demo shows features that are off by default elsewhere.
      agents: [{ env: messageBrowserOnLoopback }],
      events: {
        onDeath: (name, reason, lastLines, willRestart) => {
          process.stderr.write(`\n✗ ${name} ended (${reason}). Its last lines:\n${lastLines}\n\n`);
          if (!willRestart) {
            requestStop(`${name} keeps failing: stopping everything. Its log: ${join(home, 'logs', `${name}.log`)}`, 1);
          }
        },
        onRestart: (name) => say(`${name} runs again`),
        onDatabaseDeath: (lastLines) => requestStop(`The database server ended (${lastLines}): stopping everything`, 1),
      },
    });
  })();

  const first = await Promise.race([starting, stopRequested]);
  if ('reason' in first) {
    // Stopped while starting: let the start finish, then stop everything.
    say(first.reason);
    await starting.then((system) => system.stop()).catch(complain);
    process.exitCode = 130;
  } else {
    await writeStarted(first);
    announce(first, performance.now() - startMs);
    const { reason, exitCode } = await stopRequested;
    say(reason);
    await rm(startedFile, { force: true });
    await first.stop();
    say('Stopped.');
    process.exitCode = exitCode;
  }
}

main()
  .catch(async (error: unknown) => {
    complain(error);
    process.exitCode = 1;
  })
  .finally(async () => {
    if (isOwner) {
      await rm(ownerFile, { force: true });
    }
    // Open handles of libraries must not keep a stopped system alive.
    process.exit();
  });
