// What TLS and ACLs cost an agent: the same load on one process, in the clear and with TLS, without ACLs and with them.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { consume, createTopic, type LoadResult, produce, type Server } from '../agent-load.ts';
import { rounded as round } from '../results.ts';
import { withPenstock } from '../servers.ts';
import { ALLOWED_PREFIX, enforceAcls } from './acls.ts';
import { type Listeners, withListeners } from './listeners.ts';

const PARTITIONS = 288;
const PRODUCERS = 64;
const CONSUMERS = 4;
const STEADY_MIB_PER_S = 100;

interface Measured {
  write: LoadResult;
  steady: LoadResult;
  read: LoadResult;
}

async function measure(server: Server, topic: string, scale: number): Promise<Measured> {
  const [warmUpMib, mib] = [512 * scale, 2_048 * scale];
  const load = { producers: PRODUCERS, warmUpMib, mib, mibPerS: 0 };
  const write = await produce(server, topic, load);
  await promisify(execFile)('sync');
  const all = warmUpMib + mib;
  const read = await consume(server, topic, { consumers: CONSUMERS, warmUpMib: all, mib: all });
  const steady = await produce(server, `${topic}-steady`, {
    ...load,
    warmUpMib: warmUpMib / 2,
    mib: STEADY_MIB_PER_S * 10 * scale,
    mibPerS: STEADY_MIB_PER_S,
  });
  return { write, steady, read };
}

function figures(prefix: string, { write, steady, read }: Measured): Record<string, number> {
  return {
    [`${prefix}_write_cpu_s_per_gib`]: round(write.cpuSPerGib, 3),
    [`${prefix}_steady_write_cpu_s_per_gib`]: round(steady.cpuSPerGib, 3),
    [`${prefix}_read_cpu_s_per_gib`]: round(read.cpuSPerGib, 3),
    [`${prefix}_write_mib_per_s`]: round(write.mibPerS, 1),
    [`${prefix}_read_mib_per_s`]: round(read.mibPerS, 1),
  };
}

/** The figures of all four kinds, and what TLS and ACLs add to the first. Uncompressed GiB; the bytes on the network are half of them. */
export async function measureSecured(scale: number): Promise<Record<string, number>> {
  const measured = await withListeners((listeners) =>
    withPenstock(
      async (server, system, home) => {
        const [plain, tls] = servers(server, listeners);
        for (const topic of ['warm-up', 'clear', 'tls', `${ALLOWED_PREFIX}clear`, `${ALLOWED_PREFIX}tls`]) {
          await createTopic(plain, topic, PARTITIONS);
          await createTopic(plain, `${topic}-steady`, PARTITIONS);
        }
        // The first load pays for what the process needs once, such as the memory of its caches, which must not count for one kind alone.
        await show('not counted', measure(plain, 'warm-up', scale));
        const clear = await show('in the clear', measure(plain, 'clear', scale));
        const withTls = await show('TLS', measure(tls, 'tls', scale));
        await enforceAcls(system, home, plain);
        const withAcls = await show('ACLs', measure(plain, `${ALLOWED_PREFIX}clear`, scale));
        const withBoth = await show('TLS and ACLs', measure(tls, `${ALLOWED_PREFIX}tls`, scale));
        return { clear, withTls, withAcls, withBoth };
      },
      { agentEnv: listeners.agentEnv },
    ),
  );
  const { clear, withTls, withAcls, withBoth } = measured;
  const more = (of: Measured, which: keyof Measured): number =>
    round(of[which].cpuSPerGib - clear[which].cpuSPerGib, 3);
  return {
    ...figures('clear', clear),
    ...figures('tls', withTls),
    ...figures('acls', withAcls),
    ...figures('tls_acls', withBoth),
    tls_more_write_cpu_s_per_gib: more(withTls, 'write'),
    tls_more_steady_write_cpu_s_per_gib: more(withTls, 'steady'),
    tls_more_read_cpu_s_per_gib: more(withTls, 'read'),
    acls_more_write_cpu_s_per_gib: more(withAcls, 'write'),
    acls_more_steady_write_cpu_s_per_gib: more(withAcls, 'steady'),
    acls_more_read_cpu_s_per_gib: more(withAcls, 'read'),
  };
}

function servers(server: Server, { plain, tls, caFile }: Listeners): [Server, Server] {
  return [
    { ...server, bootstrap: plain },
    { ...server, bootstrap: tls, access: { caFile } },
  ];
}

async function show(what: string, measuring: Promise<Measured>): Promise<Measured> {
  const measured = await measuring;
  const { write, steady, read } = measured;
  const cpu = (result: LoadResult): string => `${result.cpuSPerGib.toFixed(3)} CPU s/GiB`;
  console.log(
    `${what.padEnd(14)} write ${cpu(write)} (${write.mibPerS.toFixed(0)} MiB/s)  at ${STEADY_MIB_PER_S} MiB/s ${cpu(steady)}  read ${cpu(read)} (${read.mibPerS.toFixed(0)} MiB/s)`,
  );
  return measured;
}
