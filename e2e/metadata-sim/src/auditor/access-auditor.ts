// Checks the promises about users and ACLs: versions never go back, a version has one content, and an acknowledged user stays.
import { mustHold } from './audit-failure.ts';

/** The facts stated by a response or an event. */
export interface AccessFacts {
  version: number;
  users: readonly string[];
  /** All of it, as text. */
  content: string;
}

export class AccessAuditor {
  readonly #users = new Set<string>();
  readonly #contents = new Map<number, string>();
  #latestVersion = 0;

  /** Nobody ever deletes this user. */
  userAcknowledged(user: string): void {
    this.#users.add(user);
  }

  /** A read starts. Pass what it found to the returned function. */
  readStarted(): (found: AccessFacts) => void {
    const leastVersion = this.#latestVersion;
    const users = [...this.#users];
    return (found) => {
      mustHold(found.version >= leastVersion, () => {
        return `users and ACLs were at version ${leastVersion}, and a later read found version ${found.version}`;
      });
      for (const user of users) {
        mustHold(found.users.includes(user), () => `user ${user} was acknowledged and is gone`);
      }
      this.told(found);
    };
  }

  /** An agent was sent this. Only what is durable may be sent. */
  told({ version, content }: AccessFacts): void {
    const before = this.#contents.get(version) ?? content;
    mustHold(before === content, () => `version ${version} of users and ACLs was ${before}, then ${content}`);
    this.#contents.set(version, content);
    this.#latestVersion = Math.max(this.#latestVersion, version);
  }
}
