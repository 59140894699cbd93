// The steps of `npm test`. Each is a command whose output goes to a log; steps that do not contend run in parallel.
import { join } from 'node:path';
import { pinnedNode, root } from './paths.ts';
import { type AgentTests, testsOfMostCrates, testsOfPropertyTestedCrates } from './test-agent.ts';

export interface TestStep {
  name: string;
  /** `npm test unit` runs the steps of the group `unit`, and so on. */
  group: 'static' | 'unit' | 'rust' | 'e2e' | 'browser';
  /** Steps of one lane run in sequence; lanes run in parallel. */
  lane: 'script' | 'rust' | 'system' | 'browser';
  /** Steps that must have passed; otherwise this one fails without running. */
  after?: string[];
  command: string;
  args: string[];
  cwd?: string;
  env?: Record<string, string>;
  /** Runs at a lower priority, for steps that measure no time and that no step depends on. What starts the product waits for the two builds. */
  isPatient?: boolean;
  /** Reads the numbers of passed and failed tests from the log; a step without it counts as one. */
  count?: 'vitest' | 'cargo' | 'playwright';
}

const bin = (name: string): string => join(root, 'node_modules/.bin', name);
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const nativeTypescript = join(root, 'node_modules/typescript-native/bin/tsc');
const agentFolder = join(root, 'apps/agent');

/**
 * The projects to type-check with the Go compiler. One program checks many packages: package by package, each check would read its imports
 * again and take five times as long.
 */
const typePrograms = [
  ['what runs in Node', 'packages/config/tsconfig.node.json'],
  ['what drives a browser', 'packages/config/tsconfig.drivers.json'],
  ['the web app', 'apps/web/tsconfig.json'],
  ['the interface’s parts', 'packages/ui/tsconfig.json'],
  ['the charts', 'packages/charts/tsconfig.json'],
] as const;

const staticSteps: TestStep[] = [
  {
    name: 'format and lint',
    group: 'static',
    lane: 'script',
    isPatient: true,
    command: bin('biome'),
    args: ['ci', '--colors=off', '.'],
  },
  {
    name: 'arrows',
    group: 'static',
    lane: 'script',
    isPatient: true,
    command: bin('depcruise'),
    args: ['--config', '.dependency-cruiser.cjs', 'apps', 'packages', 'infra', 'e2e', 'prisma'],
  },
  {
    name: 'advisories',
    group: 'static',
    lane: 'script',
    isPatient: true,
    command: pinnedNode,
    args: ['infra/local/advisories.ts'],
  },
  ...typePrograms.map(
    ([what, project]): TestStep => ({
      name: `types of ${what}`,
      group: 'static',
      lane: 'script',
      isPatient: true,
      command: pinnedNode,
      args: [nativeTypescript, '--noEmit', '-p', project],
    }),
  ),
];

const unitSteps: TestStep[] = [
  {
    name: 'unit, property, simulation and PostgreSQL tests',
    group: 'unit',
    lane: 'script',
    isPatient: true,
    command: pinnedNode,
    args: [vitest, 'run', '--config', 'packages/config/vitest.config.ts', '--reporter=default'],
    count: 'vitest',
  },
];

/** See test-agent.ts. */
function rustTests(name: string, tests: AgentTests): TestStep {
  return { name, group: 'rust', lane: 'rust', isPatient: true, command: 'cargo', ...tests, count: 'cargo' };
}

const rustSteps: TestStep[] = [
  {
    name: 'rustfmt',
    group: 'rust',
    lane: 'rust',
    command: 'cargo',
    args: ['fmt', '--all', '--check'],
    cwd: agentFolder,
  },
  {
    name: 'agent build',
    group: 'rust',
    lane: 'rust',
    command: pinnedNode,
    args: ['infra/local/build-agent.ts'],
  },
  rustTests('agent tests and clippy', testsOfMostCrates),
  rustTests('wire tests and clippy', testsOfPropertyTestedCrates),
];

const e2eSteps: TestStep[] = [
  {
    name: 'tools for the end-to-end tests',
    group: 'e2e',
    lane: 'system',
    command: pinnedNode,
    args: ['infra/local/ensure-test-tools.ts'],
  },
  {
    name: 'Kafka clients',
    group: 'e2e',
    lane: 'system',
    after: ['tools for the end-to-end tests', 'web build', 'agent build'],
    command: pinnedNode,
    args: [vitest, 'run', '--config', 'e2e/clients/vitest.config.ts', '--reporter=default'],
    count: 'vitest',
  },
  {
    name: 'fail-over of PostgreSQL',
    group: 'e2e',
    lane: 'browser',
    after: ['tools for the end-to-end tests', 'agent build'],
    command: pinnedNode,
    args: [vitest, 'run', '--config', 'e2e/failover/vitest.config.ts', '--reporter=default'],
    count: 'vitest',
  },
];

const browserSteps: TestStep[] = [
  {
    name: 'web build',
    group: 'browser',
    lane: 'script',
    command: pinnedNode,
    args: ['infra/local/build-web.ts'],
  },
  {
    name: 'browser',
    group: 'browser',
    // Beside the Kafka clients: both wait half of the time. The unit tests and the crates' tests, which are patient, use the cores meanwhile.
    lane: 'browser',
    after: ['tools for the end-to-end tests', 'web build', 'agent build'],
    command: pinnedNode,
    args: [
      'node_modules/@playwright/test/cli.js',
      'test',
      '--config',
      'browser/playwright.config.ts',
      '--reporter=list',
    ],
    cwd: join(root, 'e2e'),
    count: 'playwright',
  },
];

/** All steps, in the order in which their lanes run them. */
export const testSteps: TestStep[] = [...browserSteps, ...staticSteps, ...unitSteps, ...rustSteps, ...e2eSteps];

/** The steps of a group and their dependencies; all steps without a group. */
export function stepsOf(group: string | undefined): TestStep[] | undefined {
  if (group === undefined) {
    return testSteps;
  }
  const chosen = testSteps.filter((step) => step.group === group);
  if (chosen.length === 0) {
    return undefined;
  }
  const needed = new Set(chosen.flatMap((step) => [step.name, ...(step.after ?? [])]));
  return testSteps.filter((step) => needed.has(step.name));
}

/** The numbers of tests in a log; undefined when it has none. */
export function countTests(
  kind: NonNullable<TestStep['count']>,
  log: string,
): { passed: number; failed: number } | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours begin with the escape character.
  const text = log.replaceAll(/\u001b\[[0-9;]*m/g, '');
  const sum = (pattern: RegExp): number =>
    [...text.matchAll(pattern)].reduce((total, match) => total + Number(match[1]), 0);
  const counts = {
    vitest: { passed: sum(/^\s*Tests\s.*?(\d+) passed/gm), failed: sum(/^\s*Tests\s.*?(\d+) failed/gm) },
    cargo: { passed: sum(/^test result: .*? (\d+) passed/gm), failed: sum(/^test result: .*?; (\d+) failed/gm) },
    playwright: { passed: sum(/^\s+(\d+) passed/gm), failed: sum(/^\s+(\d+) failed/gm) },
  }[kind];
  return counts.passed + counts.failed === 0 ? undefined : counts;
}
