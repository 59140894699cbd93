// `node infra/docs/reference/generate.ts`: run it after a change to the agent's options, the command line, the Kafka APIs, the topic
// configs or the contract with the metadata service. Tests fail until it has run.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agentBinary } from '../../local/paths.ts';
import { referenceFolder, referenceFromBinary, referenceFromSources, render } from './reference.ts';

await mkdir(referenceFolder, { recursive: true });
const files = { ...(await referenceFromSources()), ...referenceFromBinary(agentBinary) };
for (const [name, content] of Object.entries(files)) {
  await writeFile(join(referenceFolder, name), render(content));
}
