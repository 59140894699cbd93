// One run: a seed, some thousand steps of work and trouble, audits in between and at the end.
import { MemoryJournal } from '@penstock/metadata-journal';
import { Auditor } from './auditor/auditor.ts';
import { type Behaviour, RIGHT } from './behaviour.ts';
import { Random } from './random.ts';
import { recoveredSight } from './sight.ts';
import { Trace } from './trace.ts';
import { Admin } from './workload/admin.ts';
import { Consumers } from './workload/consumers.ts';
import { Producers } from './workload/producers.ts';
import { CLUSTER, World } from './world.ts';

const STEPS_BETWEEN_AUDITS = 150;
/** More than enough for everything open to be heard once nothing fails any more. */
const MAX_SETTLING_STEPS = 20_000;

export interface SimulationResult {
  seed: number;
  steps: number;
  /** Null: every promise was kept. */
  failure: Error | null;
  /** What happened last, oldest first. */
  recent: readonly string[];
  events: number;
  traceHash: string;
  acknowledgedBatches: number;
  assignments: number;
  audits: number;
}

/** Runs a seed. A broken promise is a result, not an exception. */
export async function simulate(seed: number, steps: number, behaviour: Behaviour = RIGHT): Promise<SimulationResult> {
  const journal = new MemoryJournal();
  const auditor = new Auditor();
  const trace = new Trace();
  const world = new World(new Random(seed), auditor, trace, journal, behaviour);
  const producers = new Producers(world);
  const consumers = new Consumers(world);
  const admin = new Admin(world, producers);
  const audit = async (): Promise<void> => {
    auditor.inspect(await recoveredSight(CLUSTER.clusterId, journal, behaviour));
    trace.add('audited');
  };
  let failure: Error | null = null;
  try {
    for (let step = 1; step <= steps; step += 1) {
      await oneStep(world, producers, consumers, admin);
      if (step % STEPS_BETWEEN_AUDITS === 0) {
        await audit();
      }
    }
    await settle(world, producers);
    await audit();
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    trace.add(`failed: ${failure.message}`);
  }
  return {
    seed,
    steps,
    failure,
    recent: [...trace.recent],
    events: trace.events,
    traceHash: trace.digest(),
    acknowledgedBatches: producers.acknowledged.length,
    assignments: consumers.stableRounds,
    audits: auditor.inspections,
  };
}

/** Work, in shares of a thousand; the rest is trouble. */
async function oneStep(world: World, producers: Producers, consumers: Consumers, admin: Admin): Promise<void> {
  const { random } = world;
  world.nowMs += random.below(300);
  const dice = random.below(1_000);
  if (dice < 270) {
    await producers.step(false);
  } else if (dice < 600) {
    await consumers.step();
  } else if (dice < 650) {
    await admin.step();
  } else if (dice < 730) {
    await world.fireTimers();
  } else if (dice < 920) {
    await world.flush(false);
  } else if (dice < 950) {
    await world.flush(true);
  } else if (dice < 960) {
    await world.flush(random.chance(0.2), 'crashes-before-append');
  } else if (dice < 970) {
    await world.flush(random.chance(0.2), 'crashes-after-append');
  } else if (dice < 977) {
    world.crash(random.chance(0.5));
  } else if (dice < 987) {
    world.switchLeader();
  } else if (dice < 995) {
    await world.snapshot();
  } else {
    // Long enough for file ids to grow too old and answers to be forgotten.
    world.nowMs += random.below(20 * 60_000);
  }
}

/** Nothing fails any more: whatever is open is repeated until it is answered. */
async function settle(world: World, producers: Producers): Promise<void> {
  world.faulty = false;
  await world.flush(false);
  await world.flush(true);
  for (let step = 0; step < MAX_SETTLING_STEPS && producers.unsettled > 0; step += 1) {
    world.nowMs += 10;
    await producers.step(true);
    await world.flush(false);
  }
  if (producers.unsettled > 0) {
    throw new Error(`${producers.unsettled} batches never got an answer although nothing failed any more`);
  }
}
