// The greedy tenant, in a process of its own so that its work does not delay the tenant that is measured. It repeats commits at once,
// whatever the answers, until it is asked to stop. Started by `../greedy-tenant.ts`.
import { commitCaller, createTopic } from '../metadata/rpc-commits.ts';

const { BENCH_RPC_URL = '', BENCH_CLUSTER = '', BENCH_KEY = '', BENCH_IN_FLIGHT = '0' } = process.env;
const CONNECTIONS = 4;

let isStopping = false;
process.once('SIGTERM', () => {
  isStopping = true;
});

const cluster = { clusterId: BENCH_CLUSTER, key: BENCH_KEY };
const topicId = await createTopic(BENCH_RPC_URL, cluster);
const agents = await Promise.all(
  Array.from({ length: CONNECTIONS }, () => commitCaller(BENCH_RPC_URL, cluster, topicId)),
);
const counts = { commits: 0, refused: 0 };
process.stdout.write('flooding\n');
const startedMs = performance.now();
const loops = agents.flatMap((agent) =>
  Array.from({ length: Number(BENCH_IN_FLIGHT) / CONNECTIONS }, async () => {
    while (!isStopping) {
      counts[(await agent.tryCommit()) ? 'commits' : 'refused'] += 1;
    }
  }),
);
await Promise.all(loops);
process.stdout.write(`${JSON.stringify({ ...counts, seconds: (performance.now() - startedMs) / 1_000 })}\n`);
for (const { close } of agents) {
  close();
}
