// Runs Kafka's console tools against Penstock and Apache Kafka side by side, and explains each difference by the table of known ones.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { startKafkaBroker } from '../../../infra/local/kafka-broker.ts';
import { until } from '../support/run.ts';
import { updateSecuritySettings } from '../support/security-settings.ts';
import { startTestSystem } from '../support/system.ts';
import { brokerHasCaughtUp } from './broker-caught-up.ts';
import { type Differing, differenceOf, linesOf, type SystemNames } from './compare.ts';
import { judge, type KnownDifference } from './known-differences.ts';
import { nameOf, type Scenario, type ToolCase } from './tool-case.ts';
import { ToolRunner } from './tool-runner.ts';

/** Only for hangs: most tools take a fraction of a second. */
const LONGEST_MS = 60_000;
const ANONYMOUS = 'User:ANONYMOUS';
/** Clients that do not sign in may do everything, as ACLs can only be managed where they are enforced. Topics have as many partitions by default, and internal ones are made quickly. */
const KAFKA_SETTINGS = [
  'num.partitions=12',
  'offsets.topic.num.partitions=1',
  'transaction.state.log.num.partitions=1',
  'authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  `super.users=${ANONYMOUS}`,
];

export interface ComparedCase {
  scenario: string;
  name: string;
  /** Duration of the slower one. */
  tookMs: number;
  /** The difference; undefined if both printed the same. */
  differing: Differing | undefined;
  /** Why, from the table. */
  reasons: KnownDifference[];
  /** Differing lines that no reason explains. */
  unlisted: string[];
  /** All that Kafka printed. */
  kafka: string[];
  penstock: string[];
}

/** Compares one system of each kind, which are started for it. */
export async function compareTools(
  scenarios: readonly Scenario[],
  onCase: (compared: ComparedCase) => void = () => undefined,
): Promise<ComparedCase[]> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-tools-'));
  const [system, broker] = await Promise.all([
    startTestSystem({ agents: [{}] }),
    startKafkaBroker(join(folder, 'kafka'), '512m', KAFKA_SETTINGS),
  ]);
  const sides: Side[] = [];
  try {
    await updateSecuritySettings(system, {
      aclMode: 'ACL_MODE_ENFORCED',
      superUsers: [ANONYMOUS],
      authentication: 'AUTHENTICATION_REQUIREMENT_NEVER',
    });
    const penstock = await Side.open(system.agents[0]?.bootstrap ?? '', join(folder, 'of-penstock'));
    sides.push(penstock);
    const kafka = await Side.open(broker.bootstrap, join(folder, 'of-kafka'));
    sides.push(kafka);
    await penstock.isReady();
    const compared: ComparedCase[] = [];
    for (const scenario of scenarios) {
      for (const toolCase of scenario.cases) {
        const one = await compareCase(scenario.name, toolCase, kafka, penstock);
        compared.push(one);
        onCase(one);
      }
    }
    if (system.deaths.length > 0) {
      throw new Error(`Processes died: ${system.deaths.join('\n')}`);
    }
    return compared;
  } finally {
    await Promise.all(sides.map((side) => side.close()));
    await Promise.all([system.stop(), broker.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
}

async function compareCase(scenario: string, toolCase: ToolCase, kafka: Side, penstock: Side): Promise<ComparedCase> {
  const startedMs = performance.now();
  const [ofKafka, ofPenstock] = await Promise.all([kafka.run(toolCase), penstock.run(toolCase)]);
  const tookMs = performance.now() - startedMs;
  await brokerHasCaughtUp(kafka.admin);
  const differing = differenceOf(ofKafka, ofPenstock);
  const name = nameOf(toolCase);
  const judged = judge(name, differing ?? { kafka: [], penstock: [] });
  const isLate = toolCase.timeoutMs === undefined && [...ofKafka, ...ofPenstock].includes('exit: late');
  const unlisted = isLate ? [...judged.unlisted, 'it did not end'] : judged.unlisted;
  const reasons = [...judged.reasons];
  return { scenario, name, tookMs, differing, reasons, unlisted, kafka: ofKafka, penstock: ofPenstock };
}

/** One of the two systems. */
class Side {
  readonly admin: Admin;
  readonly #names: SystemNames;
  readonly #runner: ToolRunner;
  readonly #file: string;

  private constructor(admin: Admin, names: SystemNames, runner: ToolRunner) {
    this.admin = admin;
    this.#names = names;
    this.#runner = runner;
    this.#file = names.folder;
  }

  /** @param file where files for the tools are written */
  static async open(bootstrap: string, file: string): Promise<Side> {
    const admin = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    const { clusterId } = await admin.describeCluster();
    return new Side(admin, { bootstrap, clusterId, folder: file }, await ToolRunner.create());
  }

  /** Agents learn of changed settings soon after. */
  async isReady(): Promise<void> {
    const list: ToolCase = { tool: 'kafka-acls', args: ['--list'] };
    await until('ACLs are enforced', async () => (await this.run(list)).at(-1) === 'exit: 0');
  }

  async close(): Promise<void> {
    await Promise.all([this.#runner.stop(), this.admin.disconnect()]);
  }

  async run(toolCase: ToolCase): Promise<string[]> {
    const { tool, args, isBare, input, file, timeoutMs, runsOnceItPrints } = toolCase;
    const { bootstrap } = this.#names;
    if (file !== undefined) {
      await writeFile(this.#file, file);
    }
    const server = isBare === true ? [] : ['--bootstrap-server', bootstrap];
    const all = [
      ...server,
      ...args.map((word) => word.replace('{bootstrap}', bootstrap).replace('{file}', this.#file)),
    ];
    const limitMs = timeoutMs ?? LONGEST_MS;
    const output = await this.#runner.run(tool, all, input ?? '', limitMs, runsOnceItPrints);
    return linesOf(output, toolCase, this.#names);
  }
}
