// `npm run bench -- <name>`: runs a benchmark of e2e/bench.
import { benchmarks, runNamed } from './programs.ts';

await runNamed('bench', benchmarks, process.argv.slice(2), () => Promise.resolve());
