// The page part of `npm run bench -- telemetry` alone, with the numbers of PENSTOCK_BENCH_AGENTS and PENSTOCK_BENCH_PARTITIONS: prints the
// results and saves nothing.
import { buildWeb } from '../../../infra/local/build.ts';
import { measurePages } from './telemetry/pages.ts';
import { sayPages } from './telemetry/say-pages.ts';

const agents = Number(process.env['PENSTOCK_BENCH_AGENTS'] ?? 1_000);
const partitions = Number(process.env['PENSTOCK_BENCH_PARTITIONS'] ?? 4_608);
const rounds = Number(process.env['PENSTOCK_BENCH_ROUNDS'] ?? 5);

await buildWeb();
sayPages(await measurePages(agents, partitions, rounds));
