// A tenant beside a hostile one on the same metadata process: quiet, beside honest load that costs half a core, and under each attack.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
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

export interface Plan {
  /** How long the quiet phase, the honest neighbour and each attack last. */
  phase_ms: number;
  attacks: readonly string[];
  seed: number;
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
  /** Processes that ended. */
  deaths: string[];
}

export const allAttacks: readonly string[] = [...ATTACKS.keys()];

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

/** @param onPhase called at the end of each phase */
export async function runStrangers(plan: Plan, onPhase: (phase: Phase) => void = () => undefined): Promise<Result> {
  const system = await startTestSystem({
    agents: Array.from({ length: VICTIM_AGENTS }, () => ({})),
    hasWeb: true,
    hasWorker: true,
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
    const attacker = await startAttacker({ ...hostile, rpcUrl, bootstrap: agent.bootstrap, seed: plan.seed });
    const { clusterId, agentKey } = demo;
    const watch = startWatch({
      pid: metadata.process.pid,
      healthUrl: `${metadata.httpUrl}/healthz`,
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
    for (const name of ['honest', ...plan.attacks]) {
      await phase(name, () => attacker.run({ name, for_ms: plan.phase_ms }));
    }
    await phase('quiet again', rest);
    const end = await victim.stop();
    await watch.end();
    await attacker.end();
    return { phases, ...end, deaths: system.deaths };
  } finally {
    await system.stop();
  }
}
