// Installs the tools in other languages, as the first step of the end-to-end tests.
import { complain } from './terminal.ts';
import { ensureTestTools } from './tools.ts';

await ensureTestTools().catch((error: unknown) => {
  complain(error);
  process.exitCode = 1;
});
