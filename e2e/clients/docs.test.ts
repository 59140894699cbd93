// Every command and every file of the documentation: what can run here runs, in the order of its page, with a reader's own values filled in;
// of what needs a cloud, a cluster or root, the form is checked, and the test's name says so.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fence, fencesOf, OPERATORS_PAGE, readPages } from '../../infra/docs/fences.ts';
import { referenceFolder, referenceFromBinary, render } from '../../infra/docs/reference/reference.ts';
import { agentBinary, root } from '../../infra/local/paths.ts';
import { checkForm } from './support/docs-forms.ts';
import { DocsStand } from './support/docs-stand.ts';
import { ask, header } from './support/raw-kafka.ts';
import { until } from './support/run.ts';

interface Step {
  /** What has to be printed. */
  prints: RegExp;
  /** Runs until it is ended; the steps behind it show that it works. */
  isEndless?: true;
  /** The page says to wait until it shows this, or what it shows is counted in the background. */
  isAwaited?: true;
}

const steps: Readonly<Record<string, Step>> = {
  'quickstart-produce': { prints: /^$/ },
  // Of several partitions, hence in any order.
  'quickstart-consume': { prints: /^(?=[\s\S]*one\n)(?=[\s\S]*two\n)(?=[\s\S]*three\n)/ },
  'quickstart-create-cluster': { prints: /"name":"orders"/ },
  'quickstart-agent': { prints: /^/, isEndless: true },
  'quickstart-own-agent': { prints: /1 brokers/, isAwaited: true },
  'agent-health': { prints: /ok/ },
  'audit-export': { prints: /^$/ },
  'audit-verify': { prints: /^\d+ rows hold; the newest is [0-9a-f]{64}$/m },
  'audit-operator': { prints: /rows/ },
  'organization-export': { prints: /"type":"end"/ },
  'billing-usage': { prints: /"uncompressedBytes":"\d+"/, isAwaited: true },
  'billing-recompute': { prints: /equal|agree|same/i, isAwaited: true },
  'metrics-cluster': { prints: /penstock_cluster_health\{level="/ },
  'metrics-agent': { prints: /penstock_agent_build_info/ },
  'browse-read': { prints: /"value":\{"base64":"bG9vayBhdCBtZQ=="/ },
  'cli-login': { prints: /./ },
  'cli-use': { prints: /invoices[\s\S]*payments/ },
  'cli-script': { prints: /"name":\s*"payments"/ },
  'cli-delete': { prints: /./ },
  'cli-completions': { prints: /^$/ },
  'kafka-zone': { prints: /broker \d+ at 127\.0\.0\.1/ },
  'kafka-perf': { prints: /5000 records sent/ },
  'migrate-start': { prints: /^/, isEndless: true },
  // The same ends twice.
  'migrate-compare': { prints: /^(orders:0:\d+)\n\1\n$/, isAwaited: true },
  'migrate-group': { prints: /billing\s+orders\s+0/, isAwaited: true },
  'migrate-read': { prints: /order 0\n(.*\n){4}/ },
};
/** Only for what never comes: nothing is promised of how soon a page's programs are up on a busy machine. */
const AWAITED_MS = 240_000;

const sources = await readPages();
sources.set(OPERATORS_PAGE, await readFile(join(root, OPERATORS_PAGE), 'utf8'));
const pages = [...sources].map(([page, source]) => fencesOf(page, source));
const fences = pages.flat();
const runnable = fences.filter(({ meta }) => meta['run'] !== undefined);
const formal = fences.filter(({ meta }) => meta['check'] !== undefined);

let stand: DocsStand;
/** The pages run side by side, the blocks of each one after the other. */
const outcomes = new Map<Fence, Promise<void>>();

beforeAll(async () => {
  stand = await DocsStand.start();
  const others: Promise<void>[] = [];
  for (const page of pages) {
    const blocks = page.filter(({ meta }) => meta['run'] !== undefined);
    // A bill can be recomputed when all that is written has been counted: when the other pages are through.
    const isLast = blocks.some(({ meta }) => meta['run'] === 'billing-recompute');
    let before: Promise<void> = isLast ? Promise.allSettled(others).then(() => undefined) : Promise.resolve();
    for (const block of blocks) {
      before = before.then(() => runBlock(block));
      // A block that failed is told by its own test, and once more by those that build on it.
      before.catch(() => undefined);
      outcomes.set(block, before);
    }
    if (!isLast) {
      others.push(before);
    }
  }
});
afterAll(() => stand.stop());

async function runBlock(block: Fence): Promise<void> {
  const name = block.meta['run'] ?? '';
  if (block.language !== 'sh') {
    await stand.keep(block);
    return;
  }
  const step = steps[name];
  if (step === undefined) {
    throw new Error(`${block.page}:${block.line}: nobody knows what ${name} has to print`);
  }
  if (step.isEndless === true) {
    stand.startEndless(block);
    return;
  }
  let printed = '';
  const isAsExpected = async (): Promise<boolean> => {
    printed = await stand.run(block);
    return step.prints.test(printed);
  };
  if (step.isAwaited === true) {
    await until(name, () => isAsExpected().catch(() => false), AWAITED_MS);
  } else {
    expect(await isAsExpected(), `${name} printed:\n${printed}`).toBe(true);
  }
  if (name === 'quickstart-create-cluster') {
    await stand.adoptCluster((JSON.parse(printed) as { id: string }).id);
  }
}

describe('runs against a running system', () => {
  test.each(runnable.map((fence) => [`${fence.page}: ${fence.meta['run']}`, fence] as const))(
    '%s',
    async (_, fence) => {
      await outcomes.get(fence);
    },
  );

  test('no step is left without its block', () => {
    expect(Object.keys(steps).toSorted()).toEqual(
      runnable.flatMap(({ language, meta }) => (language === 'sh' ? [meta['run']] : [])).toSorted(),
    );
  });
});

describe('cannot run here, so its form is checked', () => {
  test.each(formal.map((fence) => [`${fence.page}: ${fence.meta['check']}`, fence] as const))(
    '%s',
    async (_, fence) => {
      await checkForm(fence, fences);
    },
  );
});

test('the reference of options and commands is the help of the binary (else: node infra/docs/reference/generate.ts)', async () => {
  for (const [name, content] of Object.entries(referenceFromBinary(agentBinary))) {
    expect(await readFile(join(referenceFolder, name), 'utf8'), name).toBe(render(content));
  }
});

test('a running agent announces the APIs and versions that the page on compatibility lists', async () => {
  const answer = await ask(stand.system.agents[0]?.bootstrap ?? '', header(18, 0));
  // Correlation id, error code, number of APIs; then key, oldest and newest version of each.
  const announced = Array.from({ length: answer.readInt32BE(6) }, (_, index) => {
    const at = 10 + index * 6;
    const key = answer.readInt16BE(at);
    return { key, oldest: answer.readInt16BE(at + 2), newest: answer.readInt16BE(at + 4) };
  });
  const listed = JSON.parse(await readFile(join(referenceFolder, 'kafka-apis.json'), 'utf8')) as typeof announced;
  const expected = listed.map(({ key, oldest, newest }) => ({ key, oldest: key === 0 ? 0 : oldest, newest }));
  expect(announced).toEqual(expected);
});
