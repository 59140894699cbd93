// A tenant and a hostile one on the same metadata process: first idle, then honest load that uses half a core, then
// each attack.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Client } from 'pg';
import { type ClusterAccess, createOtherCluster, createOtherOrganization } from '../support/accounts.ts';
import { createDemoApiKey } from '../support/api-keys.ts';
import { startTestSystem, type TestSystem } from '../support/system.ts';
import { ATTACKS } from './attacker/attacks.ts';
import type { AttackerSettings, AttackReport, AttackTask } from './attacker/main.ts';
import type { Watched, WatchSettings } from './service-watch.ts';
import { type Felt, Victim } from './victim.ts';

const VICTIM_AGENTS = 3;
/** A hostile tenant may make the process hold a share of this. */
export const METADATA_MEMORY_MIB = 2_048;

export interface Plan {
  /** How long the quiet phase, the honest neighbour and each attack last. */
  phase_ms: number;
  attacks: readonly string[];
  /** Afterwards each fuzzer runs in turns of five minutes of the attacker's CPU time, until both have used this much. */
  fuzz_cpu_ms: number;
  seed: number;
  /** Share of one core that the attacker may use. */
  share: number;
}

export interface Phase {
  name: string;
  felt: Felt;
  service: Watched;
  attack: AttackReport | undefined;
}

export interface Result {
  phases: Phase[];
  acknowledged: number;
  lost: number;
  /** The processes that ended. */
  deaths: string[];
  /** Lines of the logs that report a defect: a panic of an agent, a call of the metadata service that failed without a reason. */
  defects: string[];
}

export const allAttacks: readonly string[] = [...ATTACKS.keys()];

const FUZZERS = ['fuzz-rpc', 'fuzz-kafka'];
const FUZZ_TURN_CPU_MS = 5 * 60_000;
const MAX_DEFECT_LENGTH = 500;

async function createHostileTenant(system: TestSystem): Promise<ClusterAccess> {
  const organizationId = await createOtherOrganization(system, 'Hostile');
  return createOtherCluster(system, { organizationId, name: 'hostile' });
}

/** A paying tenant: all organizations without a payment method share one budget, and the victim's must not be the attacker's. */
async function makeCustomer({ databaseUrl, demo }: TestSystem): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("UPDATE billing_account SET stripe_payment_method_id = 'pm_test' WHERE organization_id = $1", [
      demo?.organizationId,
    ]);
  } finally {
    await client.end();
  }
}

interface Attacker {
  run(task: AttackTask): Promise<AttackReport>;
  end(): Promise<void>;
}

async function startAttacker(settings: AttackerSettings): Promise<Attacker> {
  const program = fileURLToPath(new URL('./attacker/main.ts', import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    env: { ...process.env, PENSTOCK_STRANGER: JSON.stringify(settings) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async <T>(): Promise<T> => {
    const { value, done } = await lines.next();
    if (done === true) {
      throw new Error('The attacker ended early');
    }
    return JSON.parse(value) as T;
  };
  await answer<string>();
  return {
    run: (task) => {
      child.stdin.write(`${JSON.stringify(task)}\n`);
      return answer<AttackReport>();
    },
    end: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

function startWatch(settings: WatchSettings): { take(): Promise<Watched>; end(): Promise<number> } {
  const worker = new Worker(new URL('./service-watch.ts', import.meta.url), { workerData: settings });
  return {
    take: async () => {
      worker.postMessage('take');
      const [watched] = (await once(worker, 'message')) as [Watched];
      return watched;
    },
    end: () => worker.terminate(),
  };
}

/** The tasks of the fuzzers. */
function fuzzTasks(cpuMs: number): AttackTask[] {
  const turns = Math.ceil(cpuMs / FUZZ_TURN_CPU_MS);
  return Array.from({ length: turns }, (_, turn) => ({
    name: FUZZERS[turn % FUZZERS.length] ?? '',
    until: { cpu_ms: cpuMs / turns },
  }));
}

/** The defect that a log line reports: a panic, or a call answered with “internal error”. Undefined: none. */
function defectIn(line: string): string | undefined {
  if (line.includes('panicked at')) {
    return line.slice(0, MAX_DEFECT_LENGTH);
  }
  if (!line.includes('"msg":"call failed"')) {
    return undefined;
  }
  const { method, err } = JSON.parse(line) as { method: string; err: { stack: string } };
  return `${method}: ${err.stack.slice(0, MAX_DEFECT_LENGTH)}`;
}

async function findDefects(home: string): Promise<string[]> {
  const folder = join(home, 'logs');
  const counts = new Map<string, number>();
  for (const name of await readdir(folder)) {
    for await (const line of createInterface({ input: createReadStream(join(folder, name)) })) {
      const defect = defectIn(line);
      if (defect !== undefined) {
        const key = `${name}: ${defect}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
  }
  return [...counts].map(([defect, count]) => `${defect} (${count} times)`);
}

/** @param onPhase called at the end of each phase */
export async function runStrangers(plan: Plan, onPhase: (phase: Phase) => void = () => undefined): Promise<Result> {
  const system = await startTestSystem({
    agents: Array.from({ length: VICTIM_AGENTS }, () => ({})),
    hasWeb: true,
    hasWorker: true,
    metadataEnv: { PENSTOCK_METADATA_MEMORY_MIB: String(METADATA_MEMORY_MIB) },
  });
  try {
    await makeCustomer(system);
    const hostile = await createHostileTenant(system);
    const agents = [...system.agents];
    const agent = await system.startAgent(hostile);
    const [metadata] = system.metadata;
    const { demo } = system;
    if (metadata === undefined || demo === undefined || metadata.process.pid === undefined) {
      throw new Error('The system lacks a part');
    }
    const rpcUrl = metadata.url;
    const bucket = `file://${join(system.home, 'objects')}`;
    const attacker = await startAttacker({ ...hostile, rpcUrl, bootstrap: agent.bootstrap, bucket, ...plan });
    const { clusterId, agentKey } = demo;
    const watch = startWatch({
      pid: metadata.process.pid,
      httpUrl: metadata.httpUrl,
      rpcUrl,
      clusterId,
      agentKey,
      agents: VICTIM_AGENTS,
    });
    const victim = await Victim.start({ ...system, agents }, await createDemoApiKey(system, { name: 'Dashboard' }));
    const phases: Phase[] = [];
    const phase = async (name: string, work: () => Promise<AttackReport | undefined>): Promise<void> => {
      victim.take();
      await watch.take();
      const attack = await work();
      const ended = { name, attack, felt: victim.take(), service: await watch.take() };
      phases.push(ended);
      onPhase(ended);
    };
    const rest = async (): Promise<undefined> => {
      await new Promise((resolve) => setTimeout(resolve, plan.phase_ms));
      return undefined;
    };
    await phase('warm-up', rest);
    await phase('quiet', rest);
    const attacks = ['honest', ...plan.attacks].map((name) => ({ name, until: { clock_ms: plan.phase_ms } }));
    for (const task of [...attacks, ...fuzzTasks(plan.fuzz_cpu_ms)]) {
      await phase(task.name, () => attacker.run(task));
    }
    await phase('quiet again', rest);
    const end = await victim.stop();
    await watch.end();
    await attacker.end();
    return { phases, ...end, deaths: system.deaths, defects: await findDefects(system.home) };
  } finally {
    await system.stop();
  }
}
