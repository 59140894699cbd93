// `npm run fault -- tools`: runs every console tool of Kafka 4.3 against Penstock and against Apache Kafka, and compares what they print. Fails
// when there is a difference that is not listed with its reason, or a listed one that is gone.
//   --scenario groups      only this one; may be given several times
//   --verbose              also what both printed
import { parseArgs } from 'node:util';
import { type ComparedCase, compareTools } from './compare-tools.ts';
import { KNOWN_DIFFERENCES } from './known-differences.ts';
import { scenarios } from './scenarios/index.ts';
import { HELPERS } from './tool-runner.ts';

const { values: options } = parseArgs({
  options: { scenario: { type: 'string', multiple: true }, verbose: { type: 'boolean', default: false } },
});

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function sayCase({ scenario, name, tookMs, differing, reasons, unlisted, kafka, penstock }: ComparedCase): void {
  const verdict = differing === undefined ? 'equal' : unlisted.length === 0 ? 'listed' : 'DIFFERENT';
  say(`${verdict.padEnd(9)} ${(tookMs / 1_000).toFixed(1).padStart(5)} s  ${scenario}: ${name}`);
  for (const { reason } of reasons) {
    say(`            because: ${reason}`);
  }
  for (const line of unlisted) {
    say(`          ✗ ${line}`);
  }
  if (options.verbose) {
    say([...kafka.map((line) => `    kafka    ${line}`), ...penstock.map((line) => `    penstock ${line}`)].join('\n'));
  }
}

const chosen = scenarios.filter(({ name }) => options.scenario === undefined || options.scenario.includes(name));
const compared = await compareTools(chosen, sayCase);
const found = new Set(compared.flatMap(({ reasons }) => reasons));
const gone = options.scenario === undefined ? KNOWN_DIFFERENCES.filter((difference) => !found.has(difference)) : [];
for (const { cases, reason } of gone) {
  say(`✗ listed, but not found any more in ${cases}: ${reason}`);
}
const equal = compared.filter(({ differing }) => differing === undefined).length;
const unlisted = compared.filter((one) => one.unlisted.length > 0).length;
const listed = compared.length - equal - unlisted;
const tools = new Set(
  chosen.flatMap(({ cases }) => cases.map(({ tool }) => tool).filter((tool) => !(tool in HELPERS))),
);
const lines = compared.reduce((sum, { kafka }) => sum + kafka.length, 0);
const counted = { tools: tools.size, lines, listedDifferences: found.size };
say(JSON.stringify({ ...counted, cases: compared.length, equal, listed, unlisted, gone: gone.length }));
process.exit(unlisted + gone.length === 0 ? 0 : 1);
