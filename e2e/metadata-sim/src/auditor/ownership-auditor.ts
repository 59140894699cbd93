// Checks the promises to consumers of the new group protocol: a partition has one owner at a time, and only its owner commits its offsets.
// Moments are counted, not measured: a later one has a greater number.
import { mustHold } from './audit-failure.ts';

/** An action that certainly happened between two moments. */
interface Deed {
  who: string;
  what: string;
  askedAt: number;
  endedAt: number;
}

/** A member surely owned the partition throughout. */
interface Claim {
  who: string;
  from: number;
  until: number;
}

export class OwnershipAuditor {
  readonly #claims = new Map<string, Claim[]>();
  readonly #deeds = new Map<string, Deed[]>();
  #moment = 0;
  #granted = 0;
  #commits = 0;

  /** How many partitions were given to members. */
  get granted(): number {
    return this.#granted;
  }

  /** How many commits of members were accepted. */
  get commits(): number {
    return this.#commits;
  }

  /** Something is about to be asked. */
  now(): number {
    this.#moment += 1;
    return this.#moment;
  }

  /** A member was given a partition. It owns it as long as `keeps` is called. */
  gives(partition: string, who: string, askedAt: number): { keeps: (askedAt: number) => void } {
    const endedAt = this.now();
    this.#granted += 1;
    this.#did(partition, { who, what: 'was given it', askedAt, endedAt });
    const claim = { who, from: endedAt, until: endedAt };
    this.#add(this.#claims, partition, claim);
    return {
      keeps: (until) => {
        claim.until = until;
        for (const deed of this.#deeds.get(partition) ?? []) {
          check(partition, claim, deed);
        }
      },
    };
  }

  /** A commit of a member's offset was accepted. */
  committed(partition: string, who: string, askedAt: number): void {
    this.#commits += 1;
    this.#did(partition, { who, what: 'committed an offset', askedAt, endedAt: this.now() });
  }

  #did(partition: string, deed: Deed): void {
    this.#add(this.#deeds, partition, deed);
    for (const claim of this.#claims.get(partition) ?? []) {
      check(partition, claim, deed);
    }
  }

  #add<T>(to: Map<string, T[]>, key: string, value: T): void {
    const list = to.get(key);
    if (list === undefined) {
      to.set(key, [value]);
    } else {
      list.push(value);
    }
  }
}

function check(partition: string, claim: Claim, { who, what, askedAt, endedAt }: Deed): void {
  const isDuring = claim.from <= askedAt && endedAt <= claim.until;
  mustHold(claim.who === who || !isDuring, () => `${who} ${what}, partition ${partition}, while ${claim.who} owned it`);
}
