// Administrators of users and ACLs, who call through agents. They work in some seeds only: their calls share nothing with the log and
// with groups, and the other seeds keep their histories.

import { CallFailed } from '../agents/metadata-client.ts';
import { mustHold } from '../auditor/audit-failure.ts';
import type { World } from '../world.ts';
import { accessFacts } from './access-facts.ts';

const ADMINS = 2;
const THINK_MOST_MS = 3_000;
const NAMES = ['a', 'b', 'c', 'd'];
/** More than enough for a stream to be opened again, and for a change to be sent. */
const TELLING_MS = 60_000;
const TELLING_STEP_MS = 500;

export class AccessAdmins {
  readonly #world: World;
  readonly #isAtWork: boolean;
  isFinishing = false;

  constructor(world: World, isAtWork: boolean) {
    this.#world = world;
    this.#isAtWork = isAtWork;
    for (let admin = 0; this.#isAtWork && admin < ADMINS; admin += 1) {
      void this.#run(admin);
    }
  }

  /** Checks what the owner and every agent know in the end. @throws AuditFailure */
  async audit(): Promise<void> {
    if (!this.#isAtWork) {
      return;
    }
    const version = await this.#read();
    for (const agent of this.#world.agents) {
      for (let waitedMs = 0; agent.securityVersion !== version && waitedMs < TELLING_MS; waitedMs += TELLING_STEP_MS) {
        await this.#world.scheduler.sleep(TELLING_STEP_MS);
      }
      mustHold(agent.isDead || agent.securityVersion === version, () => {
        return `${agent.agentId} was sent version ${agent.securityVersion} of users and ACLs last; the owner has version ${version}`;
      });
    }
    this.#world.trace.add(`users and ACLs are at version ${version}`);
  }

  async #run(admin: number): Promise<void> {
    const { scheduler, random } = this.#world;
    for (let call = 0; !this.isFinishing; call += 1) {
      try {
        if (random.chance(0.4)) {
          await this.#addUser(`user${admin}-${call}`);
        } else if (random.chance(0.8)) {
          await this.#alterAcl();
        } else {
          await this.#read();
        }
      } catch (error) {
        if (!(error instanceof CallFailed)) {
          this.#world.fail(error);
        }
      }
      await scheduler.sleep(1 + random.below(THINK_MOST_MS));
    }
  }

  async #addUser(user: string): Promise<void> {
    const { random, auditor } = this.#world;
    const key = new Uint8Array(32);
    const verifier = { user, mechanism: 1, salt: random.id(), storedKey: key, serverKey: key, iterations: 4_096 };
    const { client } = this.#world.anyAgent();
    const { results } = await client.call('alterUserScramCredentials', { actor: 'User:admin', upserts: [verifier] });
    if (results[0]?.errorCode === 0) {
      auditor.access.userAcknowledged(user);
    }
  }

  async #alterAcl(): Promise<void> {
    const { random } = this.#world;
    const binding = {
      resourceType: 2,
      resourceName: random.pick(NAMES) ?? '',
      patternType: 3,
      principal: 'User:a',
      host: '*',
      operation: 3,
      permissionType: 3,
    };
    const { client } = this.#world.anyAgent();
    if (random.chance(0.6)) {
      await client.call('createAcls', { actor: 'User:admin', bindings: [binding] });
    } else {
      await client.call('deleteAcls', { actor: 'User:admin', filters: [binding] });
    }
  }

  /** Reads the state and returns its version. */
  async #read(): Promise<number> {
    const found = this.#world.auditor.access.readStarted();
    const { state } = await this.#world.anyAgent().client.call('describeSecurity', {});
    const facts = accessFacts(state);
    this.#world.guard(() => found(facts));
    return facts.version;
  }
}
