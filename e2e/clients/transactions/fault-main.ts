// `npm run fault -- transactions`: four loops that consume, transform and produce in transactions over three agents, and a Kafka Streams
// application at exactly_once_v2, with agents, owners of the cluster and the clients killed and suspended. In the end each input record must
// be in the output exactly once for readers at read_committed, and no reader may ever have seen anything else.
//   --minutes 3            of faults
//   --seed 1               of the faults' order and duration
import { parseArgs } from 'node:util';
import { runTransactions } from './fault-run.ts';

const { values: options } = parseArgs({
  options: { minutes: { type: 'string', default: '3' }, seed: { type: 'string', default: '1' } },
});

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const plan = { minutes: Number(options.minutes), seed: Number(options.seed) };
const { wrong, ...figures } = await runTransactions(plan, say);
for (const fault of wrong) {
  say(`✗ ${fault}`);
}
say(JSON.stringify({ ...plan, ...figures, wrong: wrong.length }));
process.exit(wrong.length === 0 ? 0 : 1);
