// Deletes the telemetry of a purged cluster. Most of it was dropped earlier with its partitions.
import { Prisma, type Transaction } from '@penstock/database/client';
import { levels } from '@penstock/telemetry';

export async function forgetClusterTelemetry(tx: Transaction, clusterId: string): Promise<void> {
  const tables = [
    'denied_request',
    'credential_use',
    'due',
    'client_hour',
    ...levels.flatMap((level) => [`agent_${level}`, `zone_${level}`, `client_${level}`]),
    'agent',
  ];
  for (const table of tables) {
    // Table names come from our code, not from input.
    await tx.$executeRaw`DELETE FROM telemetry.${Prisma.raw(`"${table}"`)} WHERE cluster_id = ${clusterId}::uuid`;
  }
}
