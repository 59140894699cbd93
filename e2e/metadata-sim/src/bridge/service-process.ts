// One metadata process: the service as `startServer` puts it together, on a simulated machine and without connections. Calls of agents take
// the way of the real ones from the gate on: keys, scopes, budgets, bytes in flight, turns, owners.
import * as metadata from '@penstock/metadata/simulation';
import { MERGE_POLICY, type MergePolicy } from '@penstock/metadata-core';
import type { Logger } from '@penstock/platform';
import type { Machine } from '../kernel/machine.ts';
import type { Random } from '../kernel/random.ts';
import type { Connection, Database } from '../store/database.ts';
import type { ControlPlane } from './control-plane.ts';

const LEASE_TTL_MS = 5_000;
const INITIAL_REBALANCE_DELAY_MS = 300;
/** Seconds instead of a day, so that objects are deleted within a history. */
const RESTORE_WINDOW_MS = 5_000;
const MEMORY_MIB = 4_096;
const ROOT_SECRETS = [{ id: 1, secret: 'the root secret of all simulated processes' }] as const;

/** Seconds instead of minutes, so that files are merged within a short history. */
const QUICK_MERGING: MergePolicy = {
  ...MERGE_POLICY,
  freshMs: 2_000,
  windowMs: 15_000,
  maxWindowFiles: 6,
  compaction: { ...MERGE_POLICY.compaction, minDirtyBytes: 300, maxWaitMs: 4_000, sweepMs: 1_000 },
};

export interface ServiceProcessOptions {
  url: string;
  machine: Machine;
  database: Database;
  controlPlane: ControlPlane;
  random: Random;
  logger: Logger;
  /** A call failed because of a defect of the service. */
  onDefect: (error: unknown, method: string) => void;
}

export class ServiceProcess {
  readonly url: string;
  readonly machine: Machine;
  readonly owners: metadata.Owners;
  readonly connection: Connection;
  readonly service: metadata.AgentsService;
  readonly #calls: ReadonlyMap<string, metadata.AgentsService['plainCalls'][number]>;

  constructor({ url, machine, database, controlPlane, random, logger, onDefect }: ServiceProcessOptions) {
    this.url = url;
    this.machine = machine;
    this.connection = database.connect(machine);
    const pool = controlPlane.connect(this.connection);
    const ids = idsOf(random);
    const keeper = new metadata.LeaseKeeper({
      leases: this.connection,
      owner: { ownerId: ids.uuid(), ownerUrl: url },
      ttlMs: LEASE_TTL_MS,
      clock: machine,
      onRenewalFailed: () => undefined,
    });
    const monotonicMs = (): number => machine.monotonicMs();
    const tenants = new metadata.Tenants();
    const turns = new metadata.FairQueue(monotonicMs, { nextRound: (run) => machine.soon(run) });
    this.owners = new metadata.Owners({
      journal: this.connection,
      keeper,
      stops: database.stops,
      directory: this.connection,
      clock: machine,
      ids,
      logger,
      journalKeptMs: 0,
      deadFiles: this.connection.deadFiles,
      restoreWindowMs: RESTORE_WINDOW_MS,
      initialRebalanceDelayMs: INITIAL_REBALANCE_DELAY_MS,
      jobPlanSecrets: ROOT_SECRETS,
      mergePolicy: QUICK_MERGING,
      // The service goes on without the command, so clients would not notice.
      onQuarantined: (cause, { kind }) => onDefect(cause, kind),
      patterns: new metadata.PatternsHere(),
      turn: (cluster) => turns.enter(tenants.of(cluster)),
    });
    const nowMs = (): number => keeper.nowMs();
    const onNotRecorded = (error: unknown): void => logger.warn({ err: error }, 'something was not written down');
    const browserKeys = new metadata.MessageBrowserKeys(ROOT_SECRETS);
    this.service = metadata.metadataService({
      owners: this.owners,
      keys: new metadata.AgentKeys({ pool, monotonicMs, onUseNotRecorded: onNotRecorded }),
      addresses: new metadata.AgentAddresses({ pool, monotonicMs, onNotRecorded }),
      deeds: new metadata.KeyDeeds({ pool, clock: machine, nowMs: () => machine.nowMs(), onNotRecorded }),
      budgets: new metadata.CallBudgets(
        { default: metadata.DEFAULT_BUDGET, trial: metadata.DEFAULT_BUDGET, clusters: new Map() },
        monotonicMs,
      ),
      turns,
      tenants,
      bytesInFlight: new metadata.BytesInFlight(metadata.byteLimitsOf(MEMORY_MIB)),
      clock: machine,
      trustedProxies: [],
      // Telemetry is checked and then dropped: nothing here draws charts.
      reports: {
        store: async () => ({ refused: [], hasDrifted: false }),
        storeDiagnosis: async () => undefined,
        storeAccess: async () => undefined,
        refuse: () => undefined,
      },
      nowMs,
      messageBrowserKeys: browserKeys,
      peerSecrets: (clusterId, atMs) => metadata.peerSecretsOf(ROOT_SECRETS, clusterId, atMs),
      peerSecret: (clusterId, id, atMs) => metadata.recentPeerSecret(ROOT_SECRETS, clusterId, id, atMs),
      onDefect,
      orphanAgeMs: metadata.ORPHAN_AGE_MS,
      leaseTtlMs: LEASE_TTL_MS,
      traces: undefined,
    });
    this.#calls = new Map(this.service.plainCalls.map((call) => [call.method.name, call]));
  }

  /** Whether it owns the cluster, by what it knows. */
  get isOwner(): boolean {
    return !this.machine.isDead && [...this.owners.openOwners].length > 0;
  }

  /** Undefined: the service has no such unary call. */
  plainCall(method: string): metadata.AgentsService['plainCalls'][number] | undefined {
    return this.#calls.get(method);
  }
}

function idsOf(random: Random): metadata.Ids {
  return {
    uuid: () => {
      const hex = Buffer.from(random.id()).toString('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    },
    uuidBytes: () => random.id(),
  };
}
