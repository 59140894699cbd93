// `npm run bench:agent`, `bench:api`, `bench:backlog`, `bench:charts`, `bench:connections`, `bench:greedy-tenant`, `bench:health`,
// `bench:key-flood`, `bench:longevity`, `bench:metadata`, `bench:metering`, `bench:pricing`, `bench:rolling-restart`,
// `bench:scaling`, `bench:single-producer`, `bench:telemetry`, `bench:transactions` and `bench:workloads`: runs packages/bench.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pinnedNode, root } from './paths.ts';

const [name, ...args] = process.argv.slice(2);
const child = spawn(pinnedNode, [join(root, `packages/bench/src/${name}.ts`), ...args], {
  cwd: root,
  stdio: 'inherit',
});
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => child.kill('SIGTERM'));
process.on('disconnect', () => child.kill('SIGTERM'));
child.on('exit', (code) => process.exit(code ?? 1));
