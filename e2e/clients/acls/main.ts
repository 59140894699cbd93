// `npm run fault -- acl`: compares the agent's ACL decisions with those of Apache Kafka's own authorizer on random ACL sets. Prints one line
// of JSON.
//   --cases 100000   how many sets of ACLs, each with twelve questions
//   --seed 1         of the first; the others follow
import { parseArgs } from 'node:util';
import { compareAclDecisions } from './compare.ts';

/** Maximum number of differing decisions to print. */
const SHOWN = 5;

const { values: options } = parseArgs({
  options: { cases: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});

const started = performance.now();
const { different, ...counts } = await compareAclDecisions(Number(options.seed), Number(options.cases));
for (const difference of different.slice(0, SHOWN)) {
  process.stdout.write(`✗ ${difference}\n`);
}
const tookS = Number(((performance.now() - started) / 1_000).toFixed(1));
process.stdout.write(`${JSON.stringify({ ...counts, different: different.length, took_s: tookS })}\n`);
process.exitCode = different.length === 0 ? 0 : 1;
