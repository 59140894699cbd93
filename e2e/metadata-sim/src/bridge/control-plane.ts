// The control plane's tables that the service asks about agent keys and their addresses: one key, from any network, for any host.
import type { AgentKeys } from '@penstock/metadata/simulation';
import { agentKeyOf } from '@penstock/platform';
import type { Random } from '../kernel/random.ts';
import type { Connection } from '../store/database.ts';

const KEY_CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_LENGTH = 32;

/** The part of a pool of connections that the service uses. */
type Pool = ConstructorParameters<typeof AgentKeys>[0]['pool'];

export interface ControlPlaneCluster {
  clusterId: string;
  organizationId: string;
}

export class ControlPlane {
  /** Agents authenticate with this key. */
  readonly agentKey: string;
  readonly #hash: Buffer;
  readonly #cluster: ControlPlaneCluster;
  #isRevoked = false;

  constructor(cluster: ControlPlaneCluster, random: Random) {
    const characters = Array.from({ length: KEY_LENGTH }, () => random.pick([...KEY_CHARACTERS]) ?? '');
    const { plaintext, hash } = agentKeyOf(characters.join(''));
    this.agentKey = plaintext;
    this.#hash = Buffer.from(hash);
    this.#cluster = cluster;
  }

  revokeKey(): void {
    this.#isRevoked = true;
  }

  /** The connections of one process. */
  connect(connection: Connection): Pool {
    const query = ({ name, values }: { name: string; values: readonly unknown[] }): Promise<{ rows: object[] }> =>
      connection.ask(async () => ({ rows: this.#rows(name, values) }));
    // The service passes named statements only, which is one of the many forms that a pool's `query` takes.
    return { query } as unknown as Pool;
  }

  #rows(name: string, values: readonly unknown[]): object[] {
    switch (name) {
      case 'agent-key-by-hash':
        return this.#hash.equals(values[0] as Buffer) ? [this.#keyRow()] : [];
      case 'agent-address':
        return [{ learns: true, starts_window: false, state: 'learned', is_seen: true }];
      case 'read-only-agent-keys':
      case 'agent-key-used':
      case 'agent-key-network':
      case 'agent-key-deeds':
      case 'agent-address-note':
      case 'agent-address-seen':
        return [];
      default:
        throw new Error(`the simulated control plane has no answer to "${name}"`);
    }
  }

  #keyRow(): object {
    return {
      id: '5eed0000-0000-7000-8000-00000000ace1',
      cluster_id: this.#cluster.clusterId,
      organization_id: this.#cluster.organizationId,
      is_revoked: this.#isRevoked,
      is_expired: false,
      is_deleted: false,
      is_paying: true,
      suspended_reason: null,
      networks: [],
      addresses: [],
      scope: 'agent',
      may_administer: true,
    };
  }
}
