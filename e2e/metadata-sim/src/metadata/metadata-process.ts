// One metadata process: the real owners on a simulated machine, behind the real handlers of the agents' calls.
import { create, type DescMethodUnary, type MessageInitShape, type MessageShape } from '@bufbuild/protobuf';
import type { Code, ConnectError } from '@connectrpc/connect';
import * as metadata from '@penstock/metadata/simulation';
import { checkState, MERGE_POLICY } from '@penstock/metadata-core';
import { MetadataService, OWNER_URL_HEADER } from '@penstock/metadata-protocol';
import type { Logger } from '@penstock/platform';
import type { Machine } from '../kernel/machine.ts';
import type { Random } from '../kernel/random.ts';
import type { Connection, Database } from '../store/database.ts';

export const LEASE_TTL_MS = 5_000;
const INITIAL_REBALANCE_DELAY_MS = 300;
/** Seconds instead of a day, so that objects are deleted within a run. */
const RESTORE_WINDOW_MS = 5_000;

/** Seconds instead of minutes, and kilobytes instead of megabytes, so that a run of a minute merges at both levels. */
const QUICK_MERGING = {
  ...MERGE_POLICY,
  targetBytes: 20_000,
  runBytes: 4_000,
  maxSourceFiles: 12,
  freshMs: 2_000,
  windowMs: 15_000,
  maxWindowFiles: 6,
  compaction: { minDirtyBytes: 300, maxWaitMs: 4_000, maxDirtyBytes: 8_000, maxSourceRuns: 60, sweepMs: 1_000 },
};

const HANDLERS = {
  registerAgent: metadata.registerAgent,
  agentHeartbeat: metadata.agentHeartbeat,
  updateInterest: metadata.updateInterest,
  createTopics: metadata.createTopics,
  deleteTopics: metadata.deleteTopics,
  createPartitions: metadata.createPartitions,
  alterConfigs: metadata.alterConfigs,
  commitFile: metadata.commitFile,
  describeCluster: metadata.describeCluster,
  locate: metadata.locate,
  listOffsets: metadata.listOffsets,
  deleteRecords: metadata.deleteRecords,
  initProducerId: metadata.initProducerId,
  takeDeletions: metadata.takeDeletions,
  confirmDeletions: metadata.confirmDeletions,
  knownFiles: metadata.knownFiles,
  joinGroup: metadata.joinGroup,
  syncGroup: metadata.syncGroup,
  groupHeartbeat: metadata.groupHeartbeat,
  leaveGroup: metadata.leaveGroup,
  commitOffsets: metadata.commitOffsets,
  consumerGroupHeartbeat: metadata.consumerGroupHeartbeat,
  alterGroupConfigs: metadata.alterGroupConfigs,
  takeJob: metadata.takeJob,
  completeJob: metadata.completeJob,
  fetchOffsets: metadata.fetchOffsets,
  endTransaction: metadata.endTransaction,
  alterUserScramCredentials: metadata.alterUserScramCredentials,
  createAcls: metadata.createAcls,
  deleteAcls: metadata.deleteAcls,
  describeSecurity: metadata.describeSecurity,
};

export type CallName = keyof typeof HANDLERS;
export type RequestInit<K extends CallName> = MessageInitShape<(typeof MetadataService.method)[K]['input']>;
export type Response<K extends CallName> = MessageShape<(typeof MetadataService.method)[K]['output']>;
export type WatchEvent = MessageShape<typeof MetadataService.method.watch.output>;

/** `position`: the newest journal entry that the owner knew to be durable; the caller keeps it, as a witness. */
export type Reply<Answer> =
  | { ok: true; answer: Answer; position: string }
  | { ok: false; code: Code; message: string; ownerUrl: string };

export interface MetadataProcessOptions {
  clusterId: string;
  url: string;
  machine: Machine;
  database: Database;
  random: Random;
  logger: Logger;
  /** A call failed because of a defect of the service. */
  onDefect: (error: unknown, call: string) => void;
}

export class MetadataProcess {
  readonly url: string;
  readonly machine: Machine;
  readonly owners: metadata.Owners;
  readonly #options: MetadataProcessOptions;
  readonly connection: Connection;

  constructor(options: MetadataProcessOptions) {
    const { url, machine, database, random, logger } = options;
    this.url = url;
    this.machine = machine;
    this.#options = options;
    this.connection = database.connect(machine);
    this.owners = new metadata.Owners({
      journal: this.connection,
      keeper: new metadata.LeaseKeeper({
        leases: this.connection,
        owner: { ownerId: idsOf(random).uuid(), ownerUrl: url },
        ttlMs: LEASE_TTL_MS,
        clock: machine,
        onRenewalFailed: () => undefined,
      }),
      directory: this.connection,
      stops: database.stops,
      clock: machine,
      ids: idsOf(random),
      logger,
      journalKeptMs: 0,
      deadFiles: this.connection.deadFiles,
      restoreWindowMs: RESTORE_WINDOW_MS,
      initialRebalanceDelayMs: INITIAL_REBALANCE_DELAY_MS,
      jobPlanSecrets: [{ id: 1, secret: 'the root secret of all simulated processes' }],
      mergePolicy: QUICK_MERGING,
      // The service goes on without the command, so clients would not notice.
      onQuarantined: (cause, { kind }) => options.onDefect(cause, kind),
      afterCommand: (state, { kind }) => {
        try {
          checkState(state);
        } catch (error) {
          options.onDefect(error, kind);
        }
      },
    });
  }

  /**
   * Answers a call as the service does.
   * @param witnessed the newest position that the caller has received; null: none yet
   */
  async serve<K extends CallName>(
    name: K,
    request: RequestInit<K>,
    witnessed: string | null,
  ): Promise<Reply<Response<K>>> {
    const { clusterId } = this.#options;
    // Sound: a handler takes and returns the messages of the method with its name.
    const handler = HANDLERS[name] as unknown as metadata.AgentCall<DescMethodUnary>;
    const method: DescMethodUnary = MetadataService.method[name];
    return await this.#answer(name, async () => {
      const owner = await this.owners.get(clusterId);
      await owner.checkWitness(witnessed, 'an agent');
      // An hour instead of days, so that leaps of time reach it.
      const context = {
        owner,
        keyId: 'agent-key',
        messageBrowserKeys: () => [new Uint8Array(0)] as [Uint8Array],
        scope: 'agent' as const,
        mayAdminister: true,
        peerSecret: () => undefined,
        peerSecrets: () => [],
        addressVerdict: async () => ({ outcome: 'allowed' }) as const,
        orphanAgeMs: 3_600_000,
        chargeBatches: () => undefined,
        storeMaxUncompressedBatchBytes: async () => undefined,
        noteDeed: () => undefined,
        turn: () => undefined,
      };
      const answer = await handler(context, create(method.input, request));
      return {
        answer: create(method.output, answer) as unknown as Response<K>,
        position: owner.witnessedPosition,
      };
    });
  }

  /**
   * Serves one stream until it ends, or until the caller closes it.
   * @param witnessed as in `serve`
   */
  async watch(
    agentId: string,
    witnessed: string | null,
    signal: AbortSignal,
    send: (event: WatchEvent) => void,
  ): Promise<Reply<undefined>> {
    const { clusterId } = this.#options;
    const { watch } = MetadataService.method;
    return await this.#answer('watch', async () => {
      const owner = await this.owners.get(clusterId);
      await owner.checkWitness(witnessed, 'an agent');
      const accessEnd = () => Promise.resolve(undefined);
      const context = { owner, context: { signal }, clock: this.machine, accessEnd, scope: 'agent' as const };
      for await (const event of metadata.watch(context, create(watch.input, { agentId }))) {
        send(create(watch.output, event));
      }
      return { answer: undefined, position: owner.witnessedPosition };
    });
  }

  /** Takes the snapshot that is due now. */
  async takeSnapshot(): Promise<void> {
    for (const owner of this.owners.openOwners) {
      await owner.takeSnapshot();
    }
  }

  async #answer<Answer>(
    call: string,
    run: () => Promise<{ answer: Answer; position: string }>,
  ): Promise<Reply<Answer>> {
    try {
      return { ok: true, ...(await run()) };
    } catch (error) {
      const { onDefect } = this.#options;
      const refusal: ConnectError = metadata.connectErrorOf(error, call, (defect) => onDefect(defect, call));
      const ownerUrl = refusal.metadata.get(OWNER_URL_HEADER) ?? '';
      return { ok: false, code: refusal.code, message: refusal.rawMessage, ownerUrl };
    }
  }
}

function idsOf(random: Random): metadata.Ids {
  return {
    uuid: () => Buffer.from(random.id()).toString('hex'),
    uuidBytes: () => random.id(),
  };
}
