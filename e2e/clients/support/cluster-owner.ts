// The metadata process that currently owns a virtual cluster, from the lease in the database.
import pg from 'pg';

/** URL of the owner; undefined without an unexpired lease. */
export async function ownerOf(databaseUrl: string, clusterId: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ owner_url: string }>(
      'select owner_url from metadata_lease where cluster_id = $1 and expires_at > now()',
      [clusterId],
    );
    return rows[0]?.owner_url;
  } finally {
    await client.end();
  }
}
