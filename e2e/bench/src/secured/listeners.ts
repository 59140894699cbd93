// An agent with a listener in the clear and one with TLS, for one process under both kinds of load.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@penstock/servers/free-port';
import { makeCertificates } from '../../../clients/support/certificates.ts';

export interface Listeners {
  /** host:port in the clear. */
  plain: string;
  /** host:port with TLS, where clients may sign in with SASL/PLAIN. */
  tls: string;
  caFile: string;
  agentEnv: Record<string, string>;
}

/** Runs `work` with certificates that are removed afterwards. */
export async function withListeners<T>(work: (listeners: Listeners) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-bench-tls-'));
  try {
    const { authority, certificate, key } = await makeCertificates(folder);
    const [plain, tls] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
    const listeners = [`name=plain,address=${plain}`, `name=tls,address=${tls},tls=${certificate}:${key},auth=plain`];
    return await work({
      plain,
      tls,
      caFile: authority,
      agentEnv: { PENSTOCK_LISTENER: listeners.join(';'), PENSTOCK_REQUIRE_AUTHENTICATION: 'never' },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
