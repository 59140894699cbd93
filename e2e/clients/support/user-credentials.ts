// Users of a virtual cluster: SCRAM credentials, derived as a client derives them and set through the agents' RPC.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:http2';

const ITERATIONS = 4_096;

export interface ScramUser {
  user: string;
  password: string;
}

/** Both credentials of a user, as the RPC's JSON has them. */
function credentialsOf({ user, password }: ScramUser): object[] {
  return (['sha256', 'sha512'] as const).map((hash) => {
    const salt = randomBytes(24);
    const salted = pbkdf2Sync(password, salt, ITERATIONS, hash === 'sha256' ? 32 : 64, hash);
    const sign = (text: string): Buffer => createHmac(hash, salted).update(text).digest();
    return {
      user,
      mechanism: hash === 'sha256' ? 'SCRAM_MECHANISM_SHA_256' : 'SCRAM_MECHANISM_SHA_512',
      salt: salt.toString('base64'),
      storedKey: createHash(hash).update(sign('Client Key')).digest('base64'),
      serverKey: sign('Server Key').toString('base64'),
      iterations: ITERATIONS,
    };
  });
}

interface Results {
  results?: { user: string; errorCode?: number; errorMessage?: string }[];
}

interface Cluster {
  agentKey: string;
  clusterId: string;
}

/** Adds users or changes their passwords. @throws Error when the metadata service refuses one */
export function setUsers(metadataUrl: string, cluster: Cluster, users: readonly ScramUser[]): Promise<void> {
  return alterUsers(metadataUrl, cluster, { upserts: users.flatMap(credentialsOf) });
}

/** Deletes both credentials of a user. @throws Error when the metadata service refuses it */
export function deleteUser(metadataUrl: string, cluster: Cluster, user: string): Promise<void> {
  const deletions = ['SCRAM_MECHANISM_SHA_256', 'SCRAM_MECHANISM_SHA_512'].map((mechanism) => ({ user, mechanism }));
  return alterUsers(metadataUrl, cluster, { deletions });
}

async function alterUsers(metadataUrl: string, { agentKey, clusterId }: Cluster, changes: object): Promise<void> {
  const session = connect(metadataUrl);
  try {
    const request = session.request({
      ':method': 'POST',
      ':path': '/penstock.metadata.v1.MetadataService/AlterUserScramCredentials',
      'content-type': 'application/json',
      authorization: `Bearer ${agentKey}`,
      'penstock-cluster': clusterId,
    });
    request.end(JSON.stringify({ actor: 'User:tests', ...changes }));
    const [headers] = (await once(request, 'response')) as [Record<string, unknown>];
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) {
      body += String(chunk);
    }
    const refused =
      headers[':status'] === 200 ? (JSON.parse(body) as Results).results?.filter((one) => one.errorCode) : [body];
    if (refused === undefined || refused.length > 0) {
      throw new Error(`The metadata service refused the users: ${JSON.stringify(refused)}`);
    }
  } finally {
    session.close();
  }
}
