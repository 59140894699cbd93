// Programs that have many members of consumer groups in one process, one for each client library.
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { confluentKafkaPython, franzGoClient, javaClassPath } from '../../../infra/local/tools.ts';
import { pythonFolder } from '../support/clients.ts';
import { start, until } from '../support/run.ts';

export interface NewMember {
  name: string;
  protocol: 'consumer' | 'classic';
  group: string;
  /** Topics, or the regular expression that their names match. */
  subscription: string[] | { regex: string };
  /** The instance id of a static member. */
  instance?: string;
}

export interface Member {
  name: string;
  /** As `topic-partition`, in order of names. */
  partitions: string[];
  /** How often the consumer notified its application of new partitions. */
  assignments: number;
  /** The exception that ended the member, if one did. */
  error: string | null;
}

/** How a consumer ends: it leaves its group, or, if it is static, will come back. */
export type Ending = 'leave' | 'default';

/** The client library of the members. */
export type MemberClient = 'java' | 'librdkafka' | 'franz-go';

export class GroupMembers {
  readonly #program;
  readonly #lines: AsyncIterator<string>;
  /** The answers come in the order of the commands. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(program: ReturnType<typeof start>) {
    this.#program = program;
    this.#lines = createInterface({ input: program.child.stdout })[Symbol.asyncIterator]();
  }

  /** @param heap of the Java program */
  static async start(bootstrap: string, heap = '256m', client: MemberClient = 'java'): Promise<GroupMembers> {
    const [program, ...args] = await commandOf(client, bootstrap, heap);
    return new GroupMembers(start(program, args, { keepsInput: true }));
  }

  async stop(): Promise<void> {
    this.#program.child.kill('SIGKILL');
    await this.#program.exited;
  }

  async join({ name, protocol, group, subscription, instance }: NewMember): Promise<void> {
    const topics = Array.isArray(subscription) ? subscription.join(',') : `~${subscription.regex}`;
    await this.#ask(`join ${name} ${protocol} ${group} ${topics} ${instance ?? '-'}`);
  }

  /** Resolves when the consumer is closed. */
  async close(name: string, ending: Ending): Promise<void> {
    await this.#ask(`close ${name} ${ending}`);
  }

  async show(): Promise<Member[]> {
    const lines = await this.#ask('show');
    return lines.map((line) => {
      const [name = '', , assignments, partitions = '', error] = line.split(' ');
      return {
        name,
        partitions: partitions === '' ? [] : partitions.split(','),
        assignments: Number(assignments),
        error: error === undefined || error === '-' ? null : error,
      };
    });
  }

  /** Waits until these members have so many partitions each, and each partition of the topics is with one of them. */
  async untilShared(expected: Record<string, number>, partitions: number): Promise<Member[]> {
    let members: Member[] = [];
    let all: Member[] = [];
    await until(
      `${JSON.stringify(expected)} of ${partitions} partitions`,
      async () => {
        all = await this.show();
        members = all.filter(({ name }) => expected[name] !== undefined);
        const owned = members.flatMap((member) => member.partitions);
        return (
          members.length === Object.keys(expected).length &&
          members.every((member) => member.partitions.length === expected[member.name]) &&
          new Set(owned).size === partitions
        );
      },
      120_000,
    ).catch((cause: unknown) => {
      throw new Error(`the members are ${JSON.stringify(all)}`, { cause });
    });
    return members;
  }

  /** How many records the members of a group have read and committed, and how many of them are different. */
  async records(group: string): Promise<{ read: number; different: number }> {
    const [line = ''] = await this.#ask(`records ${group}`);
    const [read, different] = line.split(' ').map(Number);
    return { read: read ?? 0, different: different ?? 0 };
  }

  /** The longest that a record of a group waited until a member first read it, since this was last asked, in milliseconds. */
  async longestWaitMs(group: string): Promise<number> {
    const [line] = await this.#ask(`wait ${group}`);
    return Number(line);
  }

  /** Partitions that a member got before another had given them up, as `partition earlier-owner new-owner`. */
  conflicts(): Promise<string[]> {
    return this.#ask('conflicts');
  }

  #ask(command: string): Promise<string[]> {
    const answer = this.#last.then(() => this.#askNow(command));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #askNow(command: string): Promise<string[]> {
    this.#program.child.stdin.write(`${command}\n`);
    const answer: string[] = [];
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done === true) {
        throw new Error(`The members ended at ${command}:\n${this.#program.stderr().slice(-2_000)}`);
      }
      if (value === '.') {
        return answer;
      }
      answer.push(value);
    }
  }
}

async function commandOf(client: MemberClient, bootstrap: string, heap: string): Promise<[string, ...string[]]> {
  switch (client) {
    case 'java': {
      const classPath = await javaClassPath(join(import.meta.dirname, 'java/GroupMembers.java'));
      const flags = [`-Xmx${heap}`, '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', classPath];
      return ['java', ...flags, 'GroupMembers', bootstrap];
    }
    case 'librdkafka':
      return [await confluentKafkaPython(), join(pythonFolder, 'group_members.py'), bootstrap];
    case 'franz-go':
      return [await franzGoClient(), 'members', '-bootstrap', bootstrap];
  }
}
