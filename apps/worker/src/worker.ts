// The background jobs: what runs, when, and how the worker shuts down.
import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { PAYMENT_WORK_CHANNEL } from '@penstock/billing';
import { openStripe } from '@penstock/billing/stripe';
import { createMetadataAdmin, databaseTime, HealthWatch } from '@penstock/clusters';
import { createPrismaClient, isForced, poolOf } from '@penstock/database';
import { Cells } from '@penstock/metadata-journal';
import {
  applicationName,
  createLogger,
  createSecretBox,
  type DatabaseAccess,
  type Logger,
  MAIN_CELL,
  ProcessMeter,
  SchemaWatch,
  withAccess,
} from '@penstock/platform';
import { OPENMETRICS_CONTENT_TYPE, renderOpenMetrics } from '@penstock/telemetry';
import { createNotifications, MAIL_QUEUED_CHANNEL } from '@penstock/tenancy';
import { type CronItem, Logger as JobLogger, parseCronItems, type TaskList, type WorkerEvents } from 'graphile-worker';
import { Pool } from 'pg';
import { startClocks } from './clocks.ts';
import { startHealthServer } from './health-server.ts';
import { checkBudgetsJob } from './jobs/check-budgets.ts';
import { checkSsoDomainsJob } from './jobs/check-sso-domains.ts';
import { closeMonthsJob } from './jobs/close-months.ts';
import { deliverMailJob, mailListener, sweepMailsJob } from './jobs/deliver-mail.ts';
import { deliverWebhookJob } from './jobs/deliver-webhook.ts';
import { expireAccessReportsJob } from './jobs/expire-access-reports.ts';
import { expireAccountsDataJob } from './jobs/expire-accounts-data.ts';
import { foldClusterJob } from './jobs/fold-cluster.ts';
import { foldShardJob } from './jobs/fold-shard.ts';
import { announceAccessJob, expireHealthJob, watchShardJob } from './jobs/health.ts';
import { holdUnusualUsageJob } from './jobs/hold-unusual-usage.ts';
import { keepTelemetryPartitionsJob } from './jobs/keep-telemetry-partitions.ts';
import {
  handleStripeEventsJob,
  paymentListener,
  reconcilePaymentsJob,
  runDunningJob,
  sendStripeCallsJob,
  sweepPaymentsJob,
} from './jobs/payments.ts';
import { purgeClustersJob } from './jobs/purge-clusters.ts';
import { purgeOrganizationsJob } from './jobs/purge-organizations.ts';
import { refreshSamlMetadataJob } from './jobs/refresh-saml-metadata.ts';
import { resealSecretsJob } from './jobs/reseal-secrets.ts';
import { rollUpShardJob } from './jobs/roll-up-shard.ts';
import { shardOfPayload } from './jobs/shard-payload.ts';
import { connectionsFor, startLanes } from './lanes.ts';
import { createSmtpTransport } from './mail-transport.ts';
import { MeteringWatch } from './metering-watch.ts';
import { OpenConnections } from './open-connections.ts';
import { readBacklog } from './read-backlog.ts';
import { RunningJobs } from './running-jobs.ts';
import type { WorkerSettings } from './settings.ts';
import { ShardShare } from './shard-share.ts';
import { stopJobs } from './stop-jobs.ts';
import { withoutOverlap } from './without-overlap.ts';
import { JobMeter, workerFamilies } from './worker-metrics.ts';

export interface RunningWorker {
  /** Reports not ready, takes no more jobs, and ends those that run. */
  leave(): void;
  /** Waits for what `leave` began, and closes everything. */
  close(): Promise<void>;
}

/** How often a worker whose database lacks migrations looks again. */
const SCHEMA_INTERVAL_MS = 1_000;
/** How long connections that no job uses may take to close. */
const DISCONNECT_LIMIT_MS = 2_000;

/** Jobs at once, by lane. */
const SLOTS = { clusters: 4, deliveries: 2, schedule: 2 };
/** Connections of each pool that jobs share. */
const CONCURRENCY = 4;

/** Forwards the queue's log lines to our logger. */
function jobLogger(logger: Logger): JobLogger {
  return new JobLogger((scope) => (level, message, meta) => {
    const record = { part: 'jobs', job: scope.jobId, task: scope.taskIdentifier, ...meta };
    if (level === 'error') {
      logger.error(record, message);
    } else if (level === 'warning') {
      logger.warn(record, message);
    } else {
      logger.debug(record, message);
    }
  });
}

/** Starts the worker. Resolves once it accepts jobs. */
export async function startWorker(settings: WorkerSettings): Promise<RunningWorker> {
  const logger = createLogger({ name: 'worker', level: settings.logLevel });
  const warnOfBreak = (error: Error): void => logger.warn({ err: error }, 'A database connection broke');
  const connections = new OpenConnections();
  const openPool = (connectionString: string, max: number, access?: DatabaseAccess): Pool => {
    const opened = new Pool({
      connectionString,
      max,
      application_name: applicationName(`worker-${access ?? 'jobs'}`),
      ...(access === undefined ? {} : withAccess(access)),
    });
    opened.on('error', warnOfBreak);
    opened.on('connect', (client) => {
      client.on('error', warnOfBreak);
      if (access !== undefined) {
        connections.add(client);
      }
    });
    return opened;
  };
  const openCells = (access: DatabaseAccess): Cells =>
    // Other cells hold journals only, and no roles.
    new Cells(settings.cells, (url, cell) => openPool(url, CONCURRENCY, cell === MAIN_CELL ? access : undefined));
  const cells = openCells('worker');
  const pool = cells.pool(MAIN_CELL);
  const journals = openCells('metering');
  // The job queue has its own schema, which the owner creates and changes.
  const slots = Object.values(SLOTS).reduce((sum, count) => sum + count, 0);
  const jobPool = openPool(settings.databaseUrl, connectionsFor(Object.keys(SLOTS).length, slots));
  const database = createPrismaClient(settings.databaseUrl, CONCURRENCY, 'worker', connections.add);
  const schema = new SchemaWatch(jobPool);
  const transport = settings.smtp === undefined ? undefined : createSmtpTransport(settings.smtp);
  if (transport === undefined && !settings.isEmbedded) {
    logger.warn('SMTP_URL is not set: mails wait in the outbox, and nobody can confirm an address or reset a password');
  }

  const scheduled: TaskList = {
    'purge-clusters': purgeClustersJob(database, cells),
    'purge-organizations': purgeOrganizationsJob(database),
    'keep-telemetry-partitions': keepTelemetryPartitionsJob(pool, logger),
    'expire-access-reports': expireAccessReportsJob(pool),
    'expire-accounts-data': expireAccountsDataJob(database),
    'expire-health': expireHealthJob(database),
    'check-sso-domains': checkSsoDomainsJob(database, settings.webUrl),
    'refresh-saml-metadata': refreshSamlMetadataJob(database, settings.outbound),
    'close-months': closeMonthsJob(database, cells, settings.invoices, logger),
    'run-dunning': runDunningJob(database, {
      isStripeConfigured: settings.stripe !== undefined,
      webUrl: settings.webUrl,
    }),
    'hold-unusual-usage': holdUnusualUsageJob(database, settings.webUrl, logger),
    'check-budgets': checkBudgetsJob(database, settings.webUrl, logger),
    'reseal-secrets': resealSecretsJob(database, settings.secrets, logger),
  };
  const deliveries: TaskList = {
    'deliver-webhook': deliverWebhookJob(database, {
      policy: settings.outbound,
      secretBox: createSecretBox(settings.secrets),
    }),
  };
  const cron = [
    { task: 'purge-clusters', match: '17 * * * *', identifier: 'purge-clusters' },
    // Scheduled after the clusters, which must be purged first.
    { task: 'purge-organizations', match: '37 * * * *', identifier: 'purge-organizations' },
    { task: 'expire-accounts-data', match: '47 * * * *', identifier: 'expire-accounts-data' },
    { task: 'expire-health', match: '27 * * * *', identifier: 'expire-health' },
    // Each domain is checked once a day, spread over the hours by its last check.
    { task: 'check-sso-domains', match: '57 * * * *', identifier: 'check-sso-domains' },
    { task: 'refresh-saml-metadata', match: '42 * * * *', identifier: 'refresh-saml-metadata' },
    { task: 'expire-access-reports', match: '*/5 * * * *', identifier: 'expire-access-reports' },
    { task: 'keep-telemetry-partitions', match: '7 * * * *', identifier: 'keep-telemetry-partitions' },
    { task: 'reseal-secrets', match: '52 * * * *', identifier: 'reseal-secrets' },
    { task: 'close-months', match: '7 * * * *', identifier: 'close-months' },
    { task: 'run-dunning', match: '* * * * *', identifier: 'run-dunning' },
    { task: 'hold-unusual-usage', match: '*/5 * * * *', identifier: 'hold-unusual-usage' },
    { task: 'check-budgets', match: '* * * * *', identifier: 'check-budgets' },
  ];
  if (transport !== undefined) {
    deliveries['deliver-mail'] = deliverMailJob(database, transport);
    scheduled['sweep-mails'] = sweepMailsJob(database);
    cron.push({ task: 'sweep-mails', match: '* * * * *', identifier: 'sweep-mails' });
  }

  if (settings.stripe !== undefined) {
    const tools = { database, stripe: openStripe(settings.stripe), clock: () => new Date(), logger };
    deliveries['send-stripe-calls'] = sendStripeCallsJob(tools);
    deliveries['handle-stripe-events'] = handleStripeEventsJob(tools);
    scheduled['reconcile-payments'] = reconcilePaymentsJob(tools);
    scheduled['sweep-payments'] = sweepPaymentsJob(database);
    cron.push(
      { task: 'sweep-payments', match: '* * * * *', identifier: 'sweep-payments' },
      { task: 'reconcile-payments', match: '*/15 * * * *', identifier: 'reconcile-payments' },
    );
  }

  const metadata =
    settings.metadata === undefined
      ? undefined
      : createMetadataAdmin({ ...settings.metadata, nowMs: databaseTime(database) });
  if (metadata === undefined) {
    logger.warn('PENSTOCK_METADATA_ADMIN_URL or PENSTOCK_ADMIN_KEYS is not set: nobody watches the health of clusters');
  }

  const events: WorkerEvents = new EventEmitter();
  const monotonicMs = (): number => performance.now();
  const jobs = new RunningJobs(events, monotonicMs);
  const meter = new JobMeter(events, monotonicMs);
  let shards: ShardShare | undefined;
  const ownShards = (): readonly number[] => shards?.own ?? [];
  const metering = new MeteringWatch(() => Date.now(), ownShards);
  const usage = new ProcessMeter();
  const metrics = async (): Promise<string> => {
    const named: [string, Pool | undefined][] = [
      ['queue', jobPool],
      ['worker', pool],
      ['metering', journals.pool(MAIN_CELL)],
      ['domains', poolOf(database)],
    ];
    const pools = named.flatMap(([name, opened]) => {
      if (opened === undefined) {
        return [];
      }
      const { totalCount, idleCount, waitingCount, options } = opened;
      return { name, totalCount, idleCount, waitingCount, options };
    });
    const backlog = await readBacklog(jobPool, pool);
    const facts = { meter, jobs, metering, backlog, pools, usage: usage.read(), monotonicMs: monotonicMs() };
    return renderOpenMetrics(workerFamilies(facts));
  };
  let isTakingJobs = false;
  // First, so that a port in use stops the start before any job runs.
  const health =
    settings.port === undefined
      ? undefined
      : await startHealthServer({
          address: { port: settings.port, host: settings.host },
          pool: jobPool,
          schema,
          isTakingJobs: () => isTakingJobs,
          metrics: {
            token: settings.metricsToken,
            contentType: OPENMETRICS_CONTENT_TYPE,
            render: metrics,
            onFailure: (error) => logger.error({ err: error }, 'The metrics could not be read'),
          },
        });
  await untilSchemaIsCurrent(schema, logger);
  if (!settings.isEmbedded && !(await isForced(jobPool))) {
    logger.warn(
      'Row security does not bind the owner of the tables yet: run `npm run admin -- database force-row-security`',
    );
  }
  shards = await ShardShare.join(pool, logger);
  const share = shards;
  const clusters: TaskList = {
    'fold-shard': withoutOverlap(
      foldShardJob({ pool: journals.pool(MAIN_CELL), cells: journals, metering, logger }),
      shardOfPayload,
    ),
    'fold-cluster': foldClusterJob(journals.pool(MAIN_CELL), journals),
    'roll-up-shard': withoutOverlap(rollUpShardJob(pool), shardOfPayload),
    'announce-access': withoutOverlap(announceAccessJob(database, settings.webUrl)),
    // Workers of the release before add these while both run. The jobs of shards do their work.
    'roll-up-telemetry': () => undefined,
  };
  if (metadata !== undefined) {
    const watches = new Map<number, HealthWatch>();
    const watchOf = (shard: number): HealthWatch => {
      const known = watches.get(shard);
      const watch = known ?? new HealthWatch({ database, cells, metadata, webUrl: settings.webUrl, shards: [shard] });
      watches.set(shard, watch);
      return watch;
    };
    clusters['watch-shard'] = withoutOverlap(watchShardJob(database, watchOf, logger), shardOfPayload);
    clusters['watch-health'] = () => undefined;
  }
  for (const [name, task] of Object.entries(scheduled)) {
    if (task !== undefined) {
      scheduled[name] = withoutOverlap(task);
    }
  }
  const runner = await startLanes(
    [
      { tasks: clusters, slots: SLOTS.clusters, foreignFlags: () => share.foreignFlags },
      { tasks: deliveries, slots: SLOTS.deliveries },
      { tasks: scheduled, slots: SLOTS.schedule, cron: parseCronItems(cron.map(onlyOnce)) },
    ],
    { pool: jobPool, logger: jobLogger(logger), events },
  );
  isTakingJobs = true;
  // Catches up after downtime, instead of waiting for the next hour.
  await runner.addJob('close-months', {}, { jobKey: 'close-months', maxAttempts: 1 });
  const stopClocks = startClocks(runner, {
    shards: ownShards,
    watchesHealth: metadata !== undefined,
    logger,
  });
  // Run now, not only at the next full hour, in case the worker was down for days.
  await runner.addJob('keep-telemetry-partitions', {}, { jobKey: 'keep-telemetry-partitions' });
  const notifications = createNotifications(settings.databaseUrl, logger);
  if (transport !== undefined) {
    notifications.listen(MAIL_QUEUED_CHANNEL, mailListener(database, runner));
  }
  if (settings.stripe !== undefined) {
    notifications.listen(PAYMENT_WORK_CHANNEL, paymentListener(database, runner));
  }
  logger.info({ tasks: Object.keys({ ...clusters, ...deliveries, ...scheduled }) }, 'The worker takes jobs');

  let ending: Promise<boolean> | undefined;
  const end = (): Promise<boolean> => {
    isTakingJobs = false;
    ending ??= stopJobs({
      jobs,
      connections,
      queue: jobPool,
      logger,
      stop: async () => {
        await Promise.all([stopClocks(), notifications.close(), share.leave(), runner.stop()]);
      },
    });
    return ending;
  };
  const disconnect = async (): Promise<void> => {
    await database.$disconnect();
    await Promise.all([cells.close(), journals.close(), jobPool.end()]);
  };
  return {
    leave: () => void end(),
    close: async () => {
      const haveEnded = await end();
      transport?.close();
      metadata?.close();
      health?.close();
      if (haveEnded) {
        await Promise.race([disconnect(), pause(DISCONNECT_LIMIT_MS)]);
      }
    },
  };
}

interface Scheduled {
  task: string;
  match: string;
  identifier: string;
}

/** With a job key, a job that is late replaces the one before instead of waiting behind it. */
function onlyOnce(item: Scheduled): CronItem {
  return { ...item, options: { jobKey: item.task, backfillPeriod: 0 } };
}

/** Jobs of this version would fail on an older schema, and use up their attempts. */
async function untilSchemaIsCurrent(schema: Pick<SchemaWatch, 'obstacle'>, logger: Logger): Promise<void> {
  let reported: string | undefined;
  for (;;) {
    const obstacle = await schema.obstacle();
    if (obstacle === undefined) {
      return;
    }
    if (obstacle !== reported) {
      logger.error(`No jobs are taken: ${obstacle}`);
      reported = obstacle;
    }
    await pause(SCHEMA_INTERVAL_MS);
  }
}
