// Every command and file of the documentation. What can run here runs, in page order, with values filled in. For what needs a cloud, a
// cluster or root, the test checks only the form, and its name says so.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fence, fencesOf, OPERATORS_PAGE, readPages } from '../../infra/docs/fences.ts';
import type { ComparedApi } from '../../infra/docs/reference/kafka-versions.ts';
import { referenceFolder, referenceFromBinary, render } from '../../infra/docs/reference/reference.ts';
import { agentBinary, root } from '../../infra/local/paths.ts';
import { checkForm } from './support/docs-forms.ts';
import { DocsStand } from './support/docs-stand.ts';
import { ask, header } from './support/raw-kafka.ts';
import { until } from './support/run.ts';

interface Step {
  /** The output that is required. */
  prints: RegExp;
  /** Runs until it is stopped; the following steps show that it works. */
  isEndless?: true;
  /** The page says to wait for this output, or the output is counted in the background. */
  isAwaited?: true;
}

const steps: Readonly<Record<string, Step>> = {
  'quickstart-produce': { prints: /^$/ },
  // From several partitions, so in any order.
  'quickstart-consume': { prints: /^(?=[\s\S]*one\n)(?=[\s\S]*two\n)(?=[\s\S]*three\n)/ },
  'quickstart-create-cluster': { prints: /"name":"orders"/ },
  'quickstart-agent': { prints: /^/, isEndless: true },
  'quickstart-own-agent': { prints: /1 brokers/, isAwaited: true },
  'agent-health': { prints: /ok/ },
  'audit-export': { prints: /^$/ },
  'audit-verify': { prints: /^\d+ rows hold; the newest is [0-9a-f]{64}$/m },
  'audit-operator': { prints: /rows/ },
  'organization-export': { prints: /"type":"end"/ },
  'cluster-modes': { prints: /dev +0 +\$0\.00 +10 +1000/ },
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
  // The same first and last characters twice.
  'migrate-compare': { prints: /^(orders:0:\d+)\n\1\n$/, isAwaited: true },
  'migrate-group': { prints: /billing\s+orders\s+0/, isAwaited: true },
  'migrate-read': { prints: /order 0\n(.*\n){4}/ },
};
/** Only for hangs: how soon a page's programs start on a busy machine is not a guarantee. */
const AWAITED_MS = 240_000;

const sources = await readPages();
sources.set(OPERATORS_PAGE, await readFile(join(root, OPERATORS_PAGE), 'utf8'));
const pages = [...sources].map(([page, source]) => fencesOf(page, source));
const fences = pages.flat();
const runnable = fences.filter(({ meta }) => meta['run'] !== undefined);
const formal = fences.filter(({ meta }) => meta['check'] !== undefined);

let stand: DocsStand;
/** Pages run in parallel, the blocks of each page in sequence. */
const outcomes = new Map<Fence, Promise<void>>();

beforeAll(async () => {
  stand = await DocsStand.start();
  const others: Promise<void>[] = [];
  for (const page of pages) {
    const blocks = page.filter(({ meta }) => meta['run'] !== undefined);
    // A bill can be recomputed once all writes are folded, so this page runs after the others.
    const isLast = blocks.some(({ meta }) => meta['run'] === 'billing-recompute');
    let before: Promise<void> = isLast ? Promise.allSettled(others).then(() => undefined) : Promise.resolve();
    for (const block of blocks) {
      before = before.then(() => runBlock(block));
      // A failed block fails its own test, and the tests of blocks that depend on it.
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

  test('every step belongs to a block', () => {
    expect(Object.keys(steps).toSorted()).toEqual(
      runnable.flatMap(({ language, meta }) => (language === 'sh' ? [meta['run']] : [])).toSorted(),
    );
  });
});

describe('cannot run here, so only its form is checked', () => {
  test.each(formal.map((fence) => [`${fence.page}: ${fence.meta['check']}`, fence] as const))(
    '%s',
    async (_, fence) => {
      await checkForm(fence, fences);
    },
  );
});

// To update it: node infra/docs/reference/generate.ts
test('the reference matches the binary’s help', async () => {
  for (const [name, content] of Object.entries(referenceFromBinary(agentBinary))) {
    expect(await readFile(join(referenceFolder, name), 'utf8'), name).toBe(render(content));
  }
});

test('a running agent announces the documented APIs', async () => {
  const answer = await ask(stand.system.agents[0]?.bootstrap ?? '', header(18, 0));
  // Correlation id, error code, number of APIs; then key, minimum and maximum version of each.
  const announced = Array.from({ length: answer.readInt32BE(6) }, (_, index) => {
    const at = 10 + index * 6;
    const key = answer.readInt16BE(at);
    return { key, oldest: answer.readInt16BE(at + 2), newest: answer.readInt16BE(at + 4) };
  });
  const listed = JSON.parse(await readFile(join(referenceFolder, 'kafka-apis.json'), 'utf8')) as ComparedApi[];
  const expected = listed.flatMap(({ key, versions }) =>
    versions === null ? [] : [{ key, oldest: key === 0 ? 0 : versions.oldest, newest: versions.newest }],
  );
  // Announced so that share consumers get an error instead of waiting; the page lists them among those that are not offered.
  const refused = [
    { key: 76, oldest: 1, newest: 1 },
    { key: 78, oldest: 1, newest: 2 },
    { key: 79, oldest: 1, newest: 2 },
  ];
  expect(announced).toEqual([...expected, ...refused]);
});
