// Shards of clusters: the periodic work of the workers is divided by them. All workers must agree on the number.

export const SHARDS = 16;

/** A cluster's shard. The last byte of its id is random, for both versions of ids in use (4 and 7). */
export function shardOf(clusterId: string): number {
  return Number.parseInt(clusterId.slice(-2), 16) % SHARDS;
}

/** {@link shardOf} in SQL. @param column of type uuid */
export function shardSql(column: string): string {
  return `get_byte(uuid_send(${column}), 15) % ${SHARDS}`;
}

/** The condition that a cluster is in one of these shards. @param parameter such as `$1`, an int[]; null for all clusters */
export function inShardsSql(column: string, parameter: string): string {
  return `(${parameter}::int[] IS NULL OR ${shardSql(column)} = ANY(${parameter}::int[]))`;
}
