// `node infra/docs/reference/generate.ts`: run it after a change to the agent's options, the command line, the Kafka APIs, the topic
// configs the contract with the metadata service, or a
// program's settings. Tests fail until it has run.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agentBinary } from '../../local/paths.ts';
import { referenceFolder, referenceFromBinary, referenceFromSources, render } from './reference.ts';

await mkdir(referenceFolder, { recursive: true });
await write(referenceFromBinary(agentBinary));
await write(await referenceFromSources());

async function write(files: Record<string, unknown>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(referenceFolder, name), render(content));
  }
}
