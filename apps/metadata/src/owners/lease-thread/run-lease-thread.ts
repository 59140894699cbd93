// The lease thread: a `LeaseKeeper` with its own connections. Decodes, garbage collection and full pools of the main thread do not delay
// its renewals. It stops renewing when the main thread hangs for good.
import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { CellLeases, type LeaseOwner, type Leases, PostgresCellDirectory } from '@penstock/metadata-journal';
import { createLogger, MAIN_CELL } from '@penstock/platform';
import { closePools, openLeasePools } from '../../pools.ts';
import { systemClock } from '../clock.ts';
import { type KeptLease, LeaseKeeper } from '../lease-keeper.ts';
import type { FromThread, LeaseThreadData, ThreadAnswer, ToThread } from './messages.ts';
import { SharedDeadline, SharedTimes } from './shared-memory.ts';

class MainThreadSilent extends Error {
  override readonly name = 'MainThreadSilent';
}

if (parentPort === null) {
  throw new Error('the lease thread is started by LeaseThread');
}
const port = parentPort;
const { cells, owner, ttlMs, maxSilenceMs, logLevel, times: timesBuffer }: LeaseThreadData = workerData;
const times = new SharedTimes(timesBuffer);
// A thread's writes to process.stdout wait for the main thread, which is the one that may hang.
const logger = createLogger({ name: 'metadata', level: logLevel, destination: { write: writeToStandardOutput } });
const pools = openLeasePools(cells, ttlMs, (message, pool, cell) => {
  post({ kind: 'connection-failed', message, pool, cell });
});
const directory = new PostgresCellDirectory(pools.leases.pool(MAIN_CELL));
const held = new Map<number, KeptLease>();
let isMainSilent = false;

const keeper = new LeaseKeeper({
  leases: renewedWhileMainLives(new CellLeases(pools.leases, directory, pools.renewals)),
  owner,
  ttlMs,
  clock: systemClock,
  onRenewalFailed: (error, cell) => {
    if (!(error instanceof MainThreadSilent)) {
      post({ kind: 'renewal-failed', error, cell });
    }
  },
  onSuspended: (forMs) => post({ kind: 'suspended', forMs }),
  onObstacle: (obstacle) => post({ kind: 'obstacle', obstacle }),
  onTime: ({ reading, clockErrorMs }) => times.writeDatabase(reading, clockErrorMs),
});
void keeper.started.then(() => post({ kind: 'started' }));

port.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'acquire':
      void acquire(message.lease, message.clusterId, new SharedDeadline(message.deadline));
      break;
    case 'release':
      void release(message.lease, message.to);
      break;
    case 'stop':
      void stop();
      break;
  }
});

function post(message: FromThread): void {
  port.postMessage(message);
}

async function acquire(lease: number, clusterId: string, deadline: SharedDeadline): Promise<void> {
  try {
    const acquired = await keeper.acquire(clusterId, {
      onLost: (reason) => {
        held.delete(lease);
        post({ kind: 'lost', lease, reason });
      },
      onGiveUp: (reason) => post({ kind: 'give-up', lease, reason }),
      onValidUntil: (until) => deadline.write(until),
    });
    let answer: ThreadAnswer;
    if (acquired.outcome === 'acquired') {
      held.set(lease, acquired.lease);
      answer = { outcome: 'acquired' };
    } else {
      answer = acquired;
    }
    post({ kind: 'answer', lease, answer });
  } catch (error) {
    post({ kind: 'failed', lease, error });
  }
}

async function release(lease: number, to: LeaseOwner | undefined): Promise<void> {
  try {
    await (to === undefined ? held.get(lease)?.release() : held.get(lease)?.handOver(to));
    post({ kind: 'released', lease });
  } catch (error) {
    post({ kind: 'failed', lease, error });
  } finally {
    held.delete(lease);
  }
}

async function stop(): Promise<void> {
  keeper.stop();
  await closePools(pools);
  // Exits this thread only.
  process.exit(0);
}

/**
 * Renews only while the main thread is alive. A process whose main thread hangs must not keep its leases: nobody would serve its clusters.
 */
function renewedWhileMainLives(leases: Leases): Leases {
  return {
    acquire: (...args) => leases.acquire(...args),
    release: (...args) => leases.release(...args),
    holder: (...args) => leases.holder(...args),
    handOver: (...args) => leases.handOver(...args),
    renew: async (...args) => {
      const silentMs = times.silentMs(systemClock.monotonicMs());
      const wasSilent = isMainSilent;
      isMainSilent = silentMs > maxSilenceMs;
      if (isMainSilent) {
        if (!wasSilent) {
          logger.error({ silentMs }, 'the main thread hangs: its leases are left to lapse');
          post({ kind: 'main-was-silent', silentMs });
        }
        throw new MainThreadSilent();
      }
      return await leases.renew(...args);
    },
  };
}

function writeToStandardOutput(line: string): void {
  try {
    writeSync(1, line);
  } catch {
    // The pipe is full. Losing a log line is acceptable; losing the leases is not.
  }
}
