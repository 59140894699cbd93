// Watches the metadata process from outside, in a thread of its own: how long its one thread did not answer, how much memory it holds, and
// how many agents of the victim it has given up.
import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { RpcCaller } from './attacker/rpc-caller.ts';

export interface WatchSettings {
  pid: number;
  healthUrl: string;
  rpcUrl: string;
  clusterId: string;
  agentKey: string;
  agents: number;
}

export interface Watched {
  /** The slowest of the health checks: an upper bound of the longest stall. */
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

function check(url: string): Promise<number> {
  const startedMs = performance.now();
  return new Promise((resolve) => {
    get(url, (response) => {
      response.resume();
      response.on('end', () => resolve(performance.now() - startedMs));
    }).on('error', () => resolve(performance.now() - startedMs));
  });
}

if (parentPort !== null) {
  const port = parentPort;
  const settings = workerData as WatchSettings;
  const rpc = new RpcCaller(settings.rpcUrl, settings);
  let watched: Watched = { longest_stall_ms: 0, resident_mib: 0, peak_mib: 0, given_up: 0 };
  // One check at a time: the next begins when the last is answered, so a stall counts whole.
  const checking = async (): Promise<void> => {
    for (;;) {
      watched.longest_stall_ms = Math.max(watched.longest_stall_ms, await check(settings.healthUrl));
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
  port.on('message', () => {
    port.postMessage(watched);
    watched = { longest_stall_ms: 0, resident_mib: watched.resident_mib, peak_mib: watched.resident_mib, given_up: 0 };
  });
}
