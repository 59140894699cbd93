// What TLS and ACLs cost an agent: the same load on one process, in the clear and with TLS by turns, without ACLs and then with them.
import { allS3Operations, startS3Server } from '../../../clients/support/s3-server.ts';
import { consume, createTopic, type LoadResult, produce, type Server } from '../agent-load.ts';
import { rounded as round } from '../results.ts';
import { withPenstock } from '../servers.ts';
import { ALLOWED_PREFIX, enforceAcls } from './acls.ts';
import { type Listeners, withListeners } from './listeners.ts';

const PARTITIONS = 288;
const PRODUCERS = 64;
const CONSUMERS = 4;
const STEADY_MIB_PER_S = 100;
const STEADY_S = 6;
/** One difference says little on a machine that others share. More rounds than three would fill a small disk. */
const ROUNDS = 3;
/** Holds a whole topic, so that reads measure the way to the client and not that from the S3 server. */
const CACHE_BYTES = 1024 ** 3;

const LOADS = ['write', 'steady', 'read'] as const;
type Measured = Record<(typeof LOADS)[number], LoadResult>;

/** The measurements of a round in plaintext and with TLS. */
interface Pair {
  clear: Measured;
  tls: Measured;
}

async function measure(server: Server, topic: string, scale: number): Promise<Measured> {
  const [warmUpMib, mib] = [256 * scale, 1_024 * scale];
  const load = { producers: PRODUCERS, warmUpMib, mib, mibPerS: 0 };
  await createTopic(server, topic, PARTITIONS);
  const write = await produce(server, topic, load);
  const all = warmUpMib + mib;
  const read = await consume(server, topic, { consumers: CONSUMERS, warmUpMib: all, mib: all });
  const steadyTopic = `${topic}-steady`;
  await createTopic(server, steadyTopic, PARTITIONS);
  const steady = await produce(server, steadyTopic, {
    ...load,
    mib: STEADY_MIB_PER_S * STEADY_S * scale,
    mibPerS: STEADY_MIB_PER_S,
  });
  return { write, steady, read };
}

/** Which of the two goes first changes from round to round, so that a drift of the machine favors neither. */
async function measurePairs(
  of: string,
  prefix: string,
  [plain, tls]: [Server, Server],
  scale: number,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let index = 0; index < ROUNDS; index += 1) {
    const clear = () => show(`in the clear${of}`, measure(plain, `${prefix}clear-${index}`, scale));
    const withTls = () => show(`TLS${of}`, measure(tls, `${prefix}tls-${index}`, scale));
    if (index % 2 === 0) {
      const first = await clear();
      pairs.push({ clear: first, tls: await withTls() });
    } else {
      const first = await withTls();
      pairs.push({ clear: await clear(), tls: first });
    }
  }
  return pairs;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) {
    throw new Error('There is no median of no values');
  }
  return middle;
}

function figures(prefix: string, measured: readonly Measured[]): Record<string, number> {
  const mid = (of: (measured: Measured) => number, digits: number): number => round(median(measured.map(of)), digits);
  return {
    ...Object.fromEntries(LOADS.map((load) => [`${prefix}_${load}_cpu_s_per_gib`, mid((m) => m[load].cpuSPerGib, 3)])),
    [`${prefix}_write_mib_per_s`]: mid(({ write }) => write.mibPerS, 1),
    [`${prefix}_read_mib_per_s`]: mid(({ read }) => read.mibPerS, 1),
  };
}

function tlsCost(prefix: string, pairs: readonly Pair[]): Record<string, number> {
  const more = (load: keyof Measured): number =>
    round(median(pairs.map(({ clear, tls }) => tls[load].cpuSPerGib - clear[load].cpuSPerGib)), 3);
  return Object.fromEntries(LOADS.map((load) => [`${prefix}_${load}_cpu_s_per_gib`, more(load)]));
}

/**
 * The medians of all four kinds, and of what TLS adds within a pair, without ACLs and with them. On an S3 server, since fresh pages of the
 * page cache cost an agent that writes to a disk more than TLS does. Uncompressed GiB; the bytes on the network are half of them.
 */
export async function measureSecured(scale: number): Promise<Record<string, number>> {
  const s3 = await startS3Server();
  try {
    await s3.account.allow(allS3Operations);
    return await withListeners((listeners) =>
      withPenstock(
        async (server, system, home) => {
          const both = servers(server, listeners);
          // The first load pays for what the process needs once, such as the memory of its caches, which must not count for one kind alone.
          await show('not counted', measure(both[0], 'warm-up', scale));
          const without = await measurePairs('', '', both, scale);
          await enforceAcls(system, home, both[0]);
          const withAcls = await measurePairs(', ACLs', ALLOWED_PREFIX, both, scale);
          return {
            ...kinds('clear', 'tls', without),
            ...kinds('acls', 'tls_acls', withAcls),
            ...tlsCost('tls_more', without),
            ...tlsCost('tls_more_acls', withAcls),
          };
        },
        { agentEnv: { ...listeners.agentEnv, PENSTOCK_CACHE_BYTES: String(CACHE_BYTES) }, s3 },
      ),
    );
  } finally {
    await s3.stop();
  }
}

function kinds(clear: string, tls: string, pairs: readonly Pair[]): Record<string, number> {
  return {
    ...figures(
      clear,
      pairs.map((pair) => pair.clear),
    ),
    ...figures(
      tls,
      pairs.map((pair) => pair.tls),
    ),
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
    `${what.padEnd(18)} write ${cpu(write)} (${write.mibPerS.toFixed(0)} MiB/s)  at ${STEADY_MIB_PER_S} MiB/s ${cpu(steady)}  read ${cpu(read)} (${read.mibPerS.toFixed(0)} MiB/s)`,
  );
  return measured;
}
