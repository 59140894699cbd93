// Removes what the agents of a purged cluster reported. Most of it has gone with its partitions by then.
import { Prisma, type Transaction } from '@penstock/database/client';
import { levels } from '@penstock/telemetry';

export async function forgetClusterTelemetry(tx: Transaction, clusterId: string): Promise<void> {
  const tables = ['due', ...levels.flatMap((level) => [`agent_${level}`, `zone_${level}`]), 'agent'];
  for (const table of tables) {
    // Names of our own making.
    await tx.$executeRaw`DELETE FROM telemetry.${Prisma.raw(`"${table}"`)} WHERE cluster_id = ${clusterId}::uuid`;
  }
}
