// The callers of the benchmark: programs of several organizations, each with its own key and cluster, so that caches do not make identical
// requests look cheap.
import { createPrismaClient } from '@penstock/database';
import { generateApiKey, newId } from '@penstock/platform';

export interface Program {
  plaintext: string;
  clusterId: string;
}

const ORGANIZATIONS = 10;
const PROGRAMS_OF_EACH = 5;

export async function insertPrograms(databaseUrl: string): Promise<Program[]> {
  const database = createPrismaClient(databaseUrl, 1);
  const programs: Program[] = [];
  try {
    for (let organization = 0; organization < ORGANIZATIONS; organization += 1) {
      const organizationId = newId();
      await database.organization.create({ data: { id: organizationId, name: 'bench', slug: organizationId } });
      for (let program = 0; program < PROGRAMS_OF_EACH; program += 1) {
        const clusterId = newId();
        const place = { cloud: 'aws', region: 'eu-central-1' };
        await database.virtualCluster.create({
          data: { id: clusterId, organizationId, name: `bench-${program}`, ...place },
        });
        const { plaintext, hash, display } = generateApiKey();
        const displayed = { displayPrefix: display.prefix, displayLast4: display.last4 };
        await database.apiKey.create({
          data: { id: newId(), organizationId, name: 'bench', role: 'viewer', isReadOnly: true, hash, ...displayed },
        });
        programs.push({ plaintext, clusterId });
      }
    }
  } finally {
    await database.$disconnect();
  }
  return programs;
}
