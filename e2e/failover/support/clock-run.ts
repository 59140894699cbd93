// Runs metadata processes with wrong clocks and a suspended one under load, and checks the acknowledged commits and their metering. All use
// one PostgreSQL with a correct clock.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_S } from '@penstock/units';
import { type ClusterWithKey, ControlPlaneFixture } from '../../../apps/metadata/src/testing/control-plane-fixture.ts';
import { ServiceProcess } from '../../../apps/metadata/src/testing/service-process.ts';
import { until } from '../../clients/support/run.ts';
import { ClusterLoad } from './cluster-load.ts';
import { SettableClock } from './set-clock.ts';
import { type ThrownAhead, throwAhead } from './thrown-ahead.ts';

/** Commits acknowledged before and after each event. */
const COMMITS = 100;
export interface ClockRunOptions {
  leaseTtlMs: number;
  /** How long the process is suspended. */
  suspension_ms: number;
  /** Whether to wait until a minute of the cluster with entries in the future is metered. */
  waitsForMinute: boolean;
}

export interface ClockEvent {
  what: string;
  /** The longest time around it without an acknowledged commit. */
  longestGapMs: number;
}

export interface ClockRunOutcome {
  events: ClockEvent[];
  acknowledged: number;
  lost: number;
  /** All other errors, in words. */
  wrong: string[];
}

/** A metadata process on a host whose clock can be set. */
interface Host {
  name: string;
  service: ServiceProcess;
  clock: SettableClock;
}

/** @param onEvent is called after each event */
export async function runClockFaults(
  options: ClockRunOptions,
  onEvent: (event: ClockEvent) => void = () => undefined,
): Promise<ClockRunOutcome> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-clocks-'));
  const controlPlane = await ControlPlaneFixture.create();
  const run = new ClockRun(controlPlane, folder, options, onEvent);
  try {
    await run.start();
    await run.setClocksOfOwners();
    await run.suspendOwner();
    await run.setClocksRight();
    await run.openClusterThrownAhead();
    return await run.finish();
  } finally {
    await run.end();
    await controlPlane.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

class ClockRun {
  readonly #controlPlane: ControlPlaneFixture;
  readonly #folder: string;
  readonly #options: ClockRunOptions;
  readonly #onEvent: (event: ClockEvent) => void;
  readonly #events: ClockEvent[] = [];
  readonly #wrong: string[] = [];
  readonly #load: ClusterLoad[] = [];
  #hosts: Host[] = [];

  constructor(
    controlPlane: ControlPlaneFixture,
    folder: string,
    options: ClockRunOptions,
    onEvent: (event: ClockEvent) => void,
  ) {
    this.#controlPlane = controlPlane;
    this.#folder = folder;
    this.#options = options;
    this.#onEvent = onEvent;
  }

  /** Four processes, all with correct clocks so far, and a cluster under load. */
  async start(): Promise<void> {
    this.#hosts = await Promise.all(['one', 'two', 'three', 'four'].map((name) => this.#startHost(name)));
    const load = await this.#writeTo(await this.#controlPlane.createCluster());
    await load.acknowledgedMore(COMMITS);
  }

  /** One owner's clock is set a day ahead, the next one's a day back. The remaining two are correct. */
  async setClocksOfOwners(): Promise<void> {
    for (const [what, aheadS] of [
      ['the clock of the owner is set a day ahead', DAY_S],
      ['the clock of the next owner is set a day back', -DAY_S],
    ] as const) {
      const owner = await this.#owner();
      await this.#event(what, owner, () => owner.clock.set(aheadS));
      await until(`${owner.name} says that its clock is wrong`, async () =>
        (await readiness(owner)).includes('the clock of this host'),
      );
    }
  }

  /**
   * The owner is suspended, and the last process with a correct clock takes over. When that one is gone too, the suspended one must own
   * clusters again.
   */
  async suspendOwner(): Promise<void> {
    const suspended = await this.#owner();
    const { suspension_ms: suspensionMs } = this.#options;
    const wake = sleep(suspensionMs);
    await this.#event('the owner is suspended', suspended, async () => suspended.service.kill('SIGSTOP'));
    await wake;
    suspended.service.kill('SIGCONT');
    const successor = await this.#owner();
    if (await this.#firstLoad.isAnsweredBy(suspended.service.rpcUrl)) {
      this.#wrong.push(`${suspended.name} answered after it was suspended, although ${successor.name} had taken over`);
    }
    await this.#event('the only other owner with a right clock is killed', successor, async () => {
      successor.service.kill('SIGKILL');
      await successor.service.exited;
    });
    const owner = await this.#owner();
    if (owner !== suspended) {
      this.#wrong.push(`${owner.name} owns the cluster, whose clock is wrong`);
    }
  }

  /** Hosts with corrected clocks own clusters again. */
  async setClocksRight(): Promise<void> {
    const owner = await this.#owner();
    const others = this.#hosts.filter((host) => host !== owner && host.service.isRunning);
    for (const { clock } of others) {
      await clock.set(0);
    }
    await until('processes whose clocks are right again are ready', async () =>
      (await Promise.all(others.map(readiness))).every((text) => text.startsWith('ready')),
    );
    await this.#event('the last owner is killed, the clocks of the others are right again', owner, async () => {
      owner.service.kill('SIGKILL');
      await owner.service.exited;
    });
  }

  /** As versions before 0.2 left a cluster whose owner was a day ahead: with entries dated tomorrow. */
  async openClusterThrownAhead(): Promise<void> {
    const cluster = await this.#controlPlane.createCluster();
    const thrownAhead = await throwAhead(this.#controlPlane, cluster, DAY_S * 1_000);
    const startedMs = performance.now();
    const load = await this.#writeTo(cluster, thrownAhead);
    await load.acknowledgedMore(1);
    this.#note({
      what: 'a cluster with entries of tomorrow is opened',
      longestGapMs: performance.now() - startedMs,
    });
    await load.acknowledgedMore(COMMITS);
    if (this.#options.waitsForMinute) {
      await load.untilMinuteMetered();
    }
  }

  /** Stops the load, folds the journals as the worker does, and checks both. */
  async finish(): Promise<ClockRunOutcome> {
    let acknowledged = 0;
    let lost = 0;
    for (const load of this.#load) {
      const checked = await load.finish();
      acknowledged += checked.acknowledged;
      lost += checked.lost;
      this.#wrong.push(...checked.wrong);
    }
    return { events: this.#events, acknowledged, lost, wrong: this.#wrong };
  }

  async end(): Promise<void> {
    for (const load of this.#load) {
      load.close();
    }
    await Promise.all(this.#hosts.map(({ service }) => service.end()));
  }

  async #startHost(name: string): Promise<Host> {
    const clock = await SettableClock.create(join(this.#folder, name));
    const { url } = this.#controlPlane.database;
    const service = await ServiceProcess.start(url, this.#options.leaseTtlMs, {
      env: clock.env,
    });
    return { name, service, clock };
  }

  async #writeTo(cluster: ClusterWithKey, thrownAhead?: ThrownAhead): Promise<ClusterLoad> {
    const urls = this.#hosts.filter(({ service }) => service.isRunning).map(({ service }) => service.rpcUrl);
    const load = await ClusterLoad.start(this.#controlPlane, cluster, urls, thrownAhead);
    this.#load.push(load);
    return load;
  }

  /** Runs an event on the first cluster's owner, and waits for another process to take over. */
  async #event(what: string, owner: Host, strike: () => Promise<void>): Promise<void> {
    const load = this.#firstLoad;
    load.committing.takeLongestGapMs();
    await strike();
    await until(`another process takes over after ${what}`, async () => {
      // The error that an agent gave up on is more specific than "no takeover".
      void load.committing.count;
      return (await load.ownerUrl()) !== owner.service.rpcUrl;
    });
    await load.acknowledgedMore(COMMITS);
    this.#note({ what, longestGapMs: load.committing.takeLongestGapMs() });
  }

  #note(event: ClockEvent): void {
    this.#events.push(event);
    this.#onEvent(event);
  }

  get #firstLoad(): ClusterLoad {
    const [first] = this.#load;
    if (first === undefined) {
      throw new Error('nothing is written to yet');
    }
    return first;
  }

  async #owner(): Promise<Host> {
    const url = await this.#firstLoad.ownerUrl();
    const owner = this.#hosts.find(({ service }) => service.rpcUrl === url);
    if (owner === undefined) {
      throw new Error(`nobody owns the cluster, at ${url}`);
    }
    return owner;
  }
}

async function readiness({ service }: Host): Promise<string> {
  return await fetch(`${service.httpUrl}/readyz`).then((response) => response.text());
}
