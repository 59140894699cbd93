// Causes the trouble that no single call can: processes and agents die, pause or leave, clocks are set, and time passes for all at once.
// Also runs what production does periodically: snapshots, cuts, the orphan collector.
import { LostTail } from './lost-tail.ts';
import { LEASE_TTL_MS } from './metadata/metadata-process.ts';
import { CLUSTER, type World } from './world.ts';

const THINK_MOST_MS = 5_000;
const RESTART_MOST_MS = 9_000;
const HALT_MOST_MS = 14_000;
/** How long an owner whose lease has expired goes on. */
const TAKEOVER_MS = 1_000;
/** How far a clock is off with NTP, and without it. */
const KEPT_OFFSET_MS = 2_000;
const LOST_OFFSET_MS = 26 * 3_600_000;
const LEAP_MOST_MS = 2 * 3_600_000;

/** The share of runs that lose entries. A loss ends the other faults, so everything else is checked only in the other runs. */
const LOST_TAIL_SHARE = 0.1;
const LOST_TAIL_BEFORE_MS = 55_000;

type Deed = (world: World) => void;

const DEEDS: readonly [share: number, deed: Deed][] = [
  [14, killProcess],
  [8, shutProcessDown],
  [16, haltProcess],
  [8, killAgent],
  [8, haltAgent],
  [12, hangConnections],
  [8, hangAllConnections],
  [10, letLeaseLapse],
  [12, cutNetwork],
  [14, takeSnapshot],
  [8, collectOrphans],
  [4, collectAheadOfTime],
  [10, setClock],
  [8, snapshotAndKill],
  [4, sleepThroughHours],
  [4, leap],
];

export class Nemesis {
  isFinishing = false;
  readonly #world: World;
  readonly #deeds: Deed[];

  /** @param losesTail whether the run surely loses entries */
  constructor(world: World, losesTail: boolean) {
    this.#world = world;
    // Each seed omits some of them.
    this.#deeds = DEEDS.flatMap(([share, deed]) => (world.random.chance(0.7) ? Array<Deed>(share).fill(deed) : []));
    void this.#run();
    if (world.random.chance(LOST_TAIL_SHARE) || losesTail) {
      world.scheduler.after(world.random.below(LOST_TAIL_BEFORE_MS), () => this.#loseTail());
    }
  }

  /** In half of these cases no owner is alive to notice, so the agents must. After the loss, no witness of it is killed. */
  #loseTail(): void {
    const world = this.#world;
    world.lostTail = LostTail.strike(world);
    if (world.lostTail === undefined) {
      return;
    }
    this.isFinishing = true;
    if (world.random.chance(0.5)) {
      for (const at of world.processes.keys()) {
        world.killProcess(at);
        restartLater(world, at);
      }
    }
  }

  async #run(): Promise<void> {
    const { scheduler, random } = this.#world;
    for (;;) {
      await scheduler.sleep(100 + random.below(THINK_MOST_MS));
      if (this.isFinishing) {
        return;
      }
      random.pick(this.#deeds)?.(this.#world);
    }
  }
}

function killProcess(world: World): void {
  const at = world.random.below(world.processes.length);
  world.killProcess(at);
  restartLater(world, at);
}

function shutProcessDown(world: World): void {
  const at = world.random.below(world.processes.length);
  const process = world.processes[at];
  if (process === undefined || process.machine.isDead) {
    return;
  }
  world.trace.add(`${process.url} is told to leave`);
  void process.owners.shutDown().then(() => {
    if (world.processes[at] === process) {
      world.killProcess(at);
      restartLater(world, at);
    }
  });
}

function restartLater(world: World, at: number): void {
  const gone = world.processes[at];
  world.scheduler.after(world.random.below(RESTART_MOST_MS), () => {
    if (world.processes[at] === gone) {
      world.startProcess(at);
    }
  });
}

function haltProcess(world: World): void {
  const machine = world.random.pick(world.processes)?.machine;
  const forMs = world.random.below(HALT_MOST_MS);
  const kind = world.random.chance(0.7) ? 'stopped' : 'suspended';
  world.trace.add(`${machine?.name} is ${kind} for ${forMs} ms`);
  machine?.halt(kind, forMs);
}

function hangConnections(world: World): void {
  const process = world.random.pick(world.processes);
  const pool = world.random.chance(0.7) ? 'leases' : 'journal';
  const forMs = world.random.below(HALT_MOST_MS);
  world.trace.add(`${process?.url} waits ${forMs} ms for its connections for ${pool}`);
  process?.connection.hang(pool, forMs);
}

/** For longer than a lease: what an owner has sent may become durable after another one has taken over. */
function hangAllConnections(world: World): void {
  const process = world.random.pick(world.processes);
  const forMs = LEASE_TTL_MS + world.random.below(HALT_MOST_MS);
  world.trace.add(`${process?.url} waits ${forMs} ms for all its connections`);
  process?.connection.hang('leases', forMs);
  process?.connection.hang('journal', forMs);
}

/**
 * The owner's lease expires, but its appends still work. Agents that only write do not notice, so the owner and the one that takes over
 * both serve calls for a moment: only the journal can keep them apart. Meanwhile, readers check what each of them answers.
 */
function letLeaseLapse(world: World): void {
  const owner = world.random.pick(world.processes.filter(({ owners }) => [...owners.openOwners].length > 0));
  const forMs = LEASE_TTL_MS + TAKEOVER_MS;
  world.trace.add(`${owner?.url} waits ${forMs} ms for its connections for leases`);
  owner?.connection.hang('leases', forMs);
  // The lease may have been renewed just before, or up to a third of its time ago.
  world.scheduler.after((LEASE_TTL_MS * 2) / 3, () => world.expectTakeover(LEASE_TTL_MS / 3 + TAKEOVER_MS));
}

function cutNetwork(world: World): void {
  const process = world.random.pick(world.processes);
  const agent = world.anyAgent();
  const forMs = world.random.below(HALT_MOST_MS);
  world.trace.add(`${agent.agentId} cannot reach ${process?.url} for ${forMs} ms`);
  world.network.cut(agent.machine, process?.url ?? '', forMs);
}

function killAgent(world: World): void {
  const at = world.random.below(world.agents.length);
  world.trace.add(`${world.agents[at]?.agentId} is killed`);
  world.agents[at]?.machine.kill();
  world.startAgent(at);
}

function haltAgent(world: World): void {
  const agent = world.random.pick(world.agents);
  const forMs = world.random.below(HALT_MOST_MS);
  world.trace.add(`${agent?.agentId} is stopped for ${forMs} ms`);
  agent?.machine.halt('stopped', forMs);
}

function takeSnapshot(world: World): void {
  const process = world.random.pick(world.processes);
  // Metering is always a little behind.
  const folded = world.meter.lastSeq - world.random.below(4);
  world.database.journal.markFolded(CLUSTER.clusterId, Math.max(0, folded));
  process?.takeSnapshot().catch((error: unknown) => world.trace.add(`no snapshot: ${error}`));
}

/** Recovers at once, which shows what the snapshot lacks. */
function snapshotAndKill(world: World): void {
  const at = world.random.below(world.processes.length);
  const process = world.processes[at];
  world.database.journal.markFolded(CLUSTER.clusterId, world.meter.lastSeq);
  process?.takeSnapshot().catch((error: unknown) => world.trace.add(`no snapshot: ${error}`));
  world.scheduler.after(10 + world.random.below(200), () => {
    if (world.processes[at] === process) {
      world.killProcess(at);
      restartLater(world, at);
    }
  });
}

/** An agent pauses while hours pass and another one collects orphans. */
function sleepThroughHours(world: World): void {
  const { scheduler, random, trace } = world;
  const sleeper = world.anyAgent();
  trace.add(`${sleeper.agentId} sleeps`);
  sleeper.machine.halt('stopped', 4_000);
  scheduler.after(1_000, () => leap(world));
  scheduler.after(2_000, () => {
    const collector = random.pick(world.agents.filter((agent) => agent !== sleeper));
    void collector?.collectOrphans();
  });
}

function collectOrphans(world: World): void {
  void world.anyAgent().collectOrphans();
}

/** Collects orphans by an agent whose clock is hours ahead, so that all files seem old to it. */
function collectAheadOfTime(world: World): void {
  const agent = world.anyAgent();
  world.trace.add(`${agent.agentId} is hours ahead`);
  agent.machine.setOffset(2 * 3_600_000);
  void agent.collectOrphans();
}

function setClock(world: World): void {
  const { random } = world;
  const machines = [...world.processes, ...world.agents].map(({ machine }) => machine);
  const mostMs = random.chance(0.7) ? KEPT_OFFSET_MS : LOST_OFFSET_MS;
  const offsetMs = random.below(2 * mostMs) - mostMs;
  const machine = random.pick(machines);
  world.trace.add(`${machine?.name} is ${offsetMs} ms ahead`);
  machine?.setOffset(offsetMs);
}

function leap(world: World): void {
  const byMs = world.random.below(LEAP_MOST_MS);
  world.trace.add(`${byMs} ms pass for everybody`);
  world.scheduler.leap(byMs);
}
