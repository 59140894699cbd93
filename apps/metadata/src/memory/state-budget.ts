// How much of this process's memory the open clusters of one organization may take. The state machine bounds one cluster; what clusters take
// together is bounded here, before the process is in danger, since one that runs out of memory takes its clusters to the next one.
import { MIB } from './memory-limit.ts';

/** Shares of the process's memory limit, unless a setting says otherwise. */
const ORGANIZATION_SHARE = 1 / 4;
/** Share of one organization that has never paid and has no payment method. */
const TRIAL_SHARE = 1 / 16;
/** Share of all such organizations together, so that many owned by one person do not outweigh a customer. */
const ALL_TRIALS_SHARE = 1 / 4;
/** From this share of the limit on, only tenants below an equal share of what is held may grow. New clusters are refused long before. */
const PRESSURE_SHARE = 0.8;
/** Watch streams of one organization in this process. An event takes about 30 µs to send, and each stream gets one a second. */
const MAX_WATCHES_PER_ORGANIZATION = 5_000;
const MAX_WATCHES_PER_TRIAL = 200;
const MAX_WATCHES_OF_ALL_TRIALS = 2_000;
/** How often to look at the memory of the process. */
const LOOK_INTERVAL_MS = 250;

export interface StateBudgetSettings {
  /** Absent: a quarter of the memory limit. */
  organizationMib?: number | undefined;
  /** Absent: a sixteenth of it. */
  trialMib?: number | undefined;
}

export interface StateBudgetOptions extends StateBudgetSettings {
  memoryMib: number;
  /** Bytes that the process uses. */
  usedBytes: () => number;
  monotonicMs: () => number;
}

/** Who shares a limit: an organization, or all those that do not pay. */
interface Holder {
  bytes: number;
  watches: number;
  clusters: number;
}

const newHolder = (): Holder => ({ bytes: 0, watches: 0, clusters: 0 });

export class StateBudget {
  readonly organizationLimitBytes: number;
  readonly trialLimitBytes: number;
  readonly #allTrialsLimitBytes: number;
  readonly #options: StateBudgetOptions;
  readonly #organizations = new Map<string, Holder>();
  readonly #trials = newHolder();
  readonly #all = newHolder();
  #isPressed = false;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #refusals = 0;

  constructor(options: StateBudgetOptions) {
    const { memoryMib, organizationMib, trialMib } = options;
    this.#options = options;
    this.organizationLimitBytes = (organizationMib ?? memoryMib * ORGANIZATION_SHARE) * MIB;
    this.trialLimitBytes = Math.min(this.organizationLimitBytes, (trialMib ?? memoryMib * TRIAL_SHARE) * MIB);
    this.#allTrialsLimitBytes = Math.max(this.trialLimitBytes, memoryMib * ALL_TRIALS_SHARE * MIB);
  }

  /** Bytes held by all open clusters. */
  get heldBytes(): number {
    return this.#all.bytes;
  }

  /** Bytes held by the organization that holds the most. */
  get largestOrganizationBytes(): number {
    return Math.max(0, ...[...this.#organizations.values()].map(({ bytes }) => bytes));
  }

  /** Commands that were refused. */
  get refusals(): number {
    return this.#refusals;
  }

  noteRefusal(): void {
    this.#refusals += 1;
  }

  /** @param isPaying asked again for each refusal, since it changes */
  open(organizationId: string, isPaying: () => boolean): StateShare {
    const organization = this.#organizations.get(organizationId) ?? newHolder();
    this.#organizations.set(organizationId, organization);
    organization.clusters += 1;
    return new StateShare(
      this,
      organization,
      isPaying,
      (from, to) => {
        for (const kind of ['bytes', 'watches'] as const) {
          organization[kind] += to[kind] - from[kind];
          this.#all[kind] += to[kind] - from[kind];
          this.#trials[kind] += (to.isTrial ? to[kind] : 0) - (from.isTrial ? from[kind] : 0);
        }
      },
      () => {
        organization.clusters -= 1;
        if (organization.clusters === 0) {
          this.#organizations.delete(organizationId);
        }
      },
    );
  }

  /** Why an organization may not take so much more. Null: it may. */
  refusal({ bytes: held }: Readonly<Holder>, isTrial: boolean, bytes: number): string | null {
    const limit = isTrial ? this.trialLimitBytes : this.organizationLimitBytes;
    if (held + bytes > limit) {
      const why = isTrial ? ' An organization with a payment method may use more.' : '';
      return `The open clusters of the organization use ${mib(held)} of ${mib(limit)} MiB of metadata memory.${why}`;
    }
    const tenantBytes = isTrial ? this.#trials.bytes : held;
    if (isTrial && tenantBytes + bytes > this.#allTrialsLimitBytes) {
      return 'Organizations without a payment method use all the metadata memory that they have together. Try again later, or add a payment method.';
    }
    if (this.#isUnderPressure() && tenantBytes + bytes > this.#all.bytes / Math.max(1, this.#tenants())) {
      return 'The metadata service is short of memory at the moment, and the clusters of the organization use more than an equal share. Try again later.';
    }
    return null;
  }

  /** Why an organization may not open one more watch stream. Null: it may. */
  watchRefusal({ watches }: Readonly<Holder>, isTrial: boolean): string | null {
    if (isTrial && watches >= MAX_WATCHES_PER_TRIAL) {
      return `the agents of the organization have ${watches} watch streams open, the most without a payment method: stop agents that are not needed, or add a payment method`;
    }
    if (isTrial && this.#trials.watches >= MAX_WATCHES_OF_ALL_TRIALS) {
      return 'organizations without a payment method have as many watch streams open as they may have together: try again later, or add a payment method';
    }
    if (watches >= MAX_WATCHES_PER_ORGANIZATION) {
      return `the agents of the organization have ${watches} watch streams open, the most that one process of the metadata service allows: stop agents that are not needed`;
    }
    return null;
  }

  /** Organizations that pay, and all others as one. An upper bound: those that do not pay count, too. */
  #tenants(): number {
    return this.#organizations.size;
  }

  #isUnderPressure(): boolean {
    const { usedBytes, monotonicMs, memoryMib } = this.#options;
    const nowMs = monotonicMs();
    if (nowMs - this.#lookedMs >= LOOK_INTERVAL_MS) {
      this.#lookedMs = nowMs;
      this.#isPressed = usedBytes() >= memoryMib * MIB * PRESSURE_SHARE;
    }
    return this.#isPressed;
  }
}

/** The bytes of one open cluster, and whether its organization pays. */
interface Part {
  bytes: number;
  watches: number;
  isTrial: boolean;
}

/** The share of one open cluster in its organization's budget. */
export class StateShare {
  readonly #budget: StateBudget;
  readonly #organization: Readonly<Holder>;
  readonly #isPaying: () => boolean;
  readonly #change: (from: Part, to: Part) => void;
  readonly #end: () => void;
  #part: Part = { bytes: 0, watches: 0, isTrial: false };
  #isClosed = false;

  constructor(
    budget: StateBudget,
    organization: Readonly<Holder>,
    isPaying: () => boolean,
    change: (from: Part, to: Part) => void,
    end: () => void,
  ) {
    this.#budget = budget;
    this.#organization = organization;
    this.#isPaying = isPaying;
    this.#change = change;
    this.#end = end;
  }

  /** Bytes held by all open clusters of the organization in this process. */
  get organizationBytes(): number {
    return this.#organization.bytes;
  }

  get limitBytes(): number {
    return this.#isPaying() ? this.#budget.organizationLimitBytes : this.#budget.trialLimitBytes;
  }

  /** Call after each change. @param bytes what the cluster takes now */
  set(bytes: number): void {
    this.#take(bytes, this.#part.watches);
  }

  /** Why the cluster may not open one more watch stream. Null: it may. */
  watchRefusal(): string | null {
    return this.#budget.watchRefusal(this.#organization, !this.#isPaying());
  }

  watchOpened(): void {
    this.#take(this.#part.bytes, this.#part.watches + 1);
  }

  watchClosed(): void {
    this.#take(this.#part.bytes, this.#part.watches - 1);
  }

  #take(bytes: number, watches: number): void {
    if (this.#isClosed) {
      return;
    }
    const before = this.#part;
    const isTrial = !this.#isPaying();
    if (bytes !== before.bytes || watches !== before.watches || isTrial !== before.isTrial) {
      this.#part = { bytes, watches, isTrial };
      this.#change(before, this.#part);
    }
  }

  /** Why the cluster may not take so much more. Null: it may. */
  refusal(bytes: number): string | null {
    return this.#budget.refusal(this.#organization, !this.#isPaying(), bytes);
  }

  noteRefusal(): void {
    this.#budget.noteRefusal();
  }

  close(): void {
    this.#take(0, 0);
    if (!this.#isClosed) {
      this.#isClosed = true;
      this.#end();
    }
  }
}

function mib(bytes: number): number {
  return Math.round(bytes / MIB);
}
