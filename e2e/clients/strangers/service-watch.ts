// Watches the metadata process from outside, in a thread of its own: how long its one thread did not answer, how much memory it holds, and
// how many agents of the victim it has given up.
import { readFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { RpcCaller } from './attacker/rpc-caller.ts';

export interface WatchSettings {
  pid: number;
  /** The URL of its HTTP port. */
  httpUrl: string;
  rpcUrl: string;
  clusterId: string;
  agentKey: string;
  agents: number;
}

export interface Watched {
  /** The slowest of the health checks, as the clock shows it: other programs on the machine delay it, too. */
  slowest_check_ms: number;
  /** The most CPU time that the process's one thread used without a look at its connections. */
  longest_stall_ms: number;
  /** Resident memory at the end, and its peak. */
  resident_mib: number;
  peak_mib: number;
  given_up: number;
}

const CHECK_EVERY_MS = 20;
const MEMORY_EVERY_MS = 250;

async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
}

/** As the process measures it, since it was asked last. */
async function longestStallMs(metricsUrl: string): Promise<number> {
  const metrics = await (await fetch(metricsUrl)).text();
  return Number(/^penstock_metadata_event_loop_stall_cpu_seconds (\S+)$/m.exec(metrics)?.[1]) * 1_000;
}

/** One connection for all checks: a new one would have to be accepted first, and would measure several turns of the event loop. */
const connection = new Agent({ keepAlive: true, maxSockets: 1 });

/** Returns when the process has answered, or cannot be reached. */
function check(url: string): Promise<void> {
  return new Promise((resolve) => {
    get(url, { agent: connection }, (response) => {
      response.resume();
      response.on('end', () => resolve());
    }).on('error', () => resolve());
  });
}

if (parentPort !== null) {
  const port = parentPort;
  const settings = workerData as WatchSettings;
  const rpc = new RpcCaller(settings.rpcUrl, settings);
  let watched: Watched = { slowest_check_ms: 0, longest_stall_ms: 0, resident_mib: 0, peak_mib: 0, given_up: 0 };
  // One check at a time: the next begins when the last is answered, so a stall counts whole.
  const checking = async (): Promise<void> => {
    for (;;) {
      const startedMs = performance.now();
      await check(`${settings.httpUrl}/healthz`);
      watched.slowest_check_ms = Math.max(watched.slowest_check_ms, performance.now() - startedMs);
      await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
    }
  };
  const measuring = async (): Promise<void> => {
    for (;;) {
      watched.resident_mib = await residentMib(settings.pid).catch(() => 0);
      watched.peak_mib = Math.max(watched.peak_mib, watched.resident_mib);
      const described = await rpc.json<{ agents?: unknown[] }>('DescribeCluster', { topicNames: ['victim'] });
      if (described !== undefined) {
        watched.given_up = Math.max(watched.given_up, settings.agents - (described.agents ?? []).length);
      }
      await new Promise((resolve) => setTimeout(resolve, MEMORY_EVERY_MS));
    }
  };
  void checking();
  void measuring();
  port.on('message', async () => {
    // A process that has ended is found by its end.
    const stallMs = await longestStallMs(`${settings.httpUrl}/metrics`).catch(() => 0);
    port.postMessage({ ...watched, longest_stall_ms: stallMs });
    watched = {
      slowest_check_ms: 0,
      longest_stall_ms: 0,
      resident_mib: watched.resident_mib,
      peak_mib: watched.resident_mib,
      given_up: 0,
    };
  });
}
