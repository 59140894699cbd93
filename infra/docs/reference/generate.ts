// `node infra/docs/reference/generate.ts`: after each change of the agent's options, of the command line, of the Kafka APIs, of topic configs
// or of the contract with the metadata service. Tests fail until it was run.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agentBinary } from '../../local/paths.ts';
import { referenceFolder, referenceFromBinary, referenceFromSources, render } from './reference.ts';

await mkdir(referenceFolder, { recursive: true });
const files = { ...(await referenceFromSources()), ...referenceFromBinary(agentBinary) };
for (const [name, content] of Object.entries(files)) {
  await writeFile(join(referenceFolder, name), render(content));
}
