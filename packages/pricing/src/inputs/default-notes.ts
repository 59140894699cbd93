// Whom each default of the calculator favours, and why it stands. Every input has a note, and every thing that the models leave out; a
// test checks both. The page /pricing/defaults and the docs show those that favour someone.
import { type InputKey, inputNamed } from './index.ts';

export type Favoured = 'Penstock' | 'Rivals' | 'Nobody';

interface Note {
  readonly favours: Favoured;
  readonly why: string;
}

const us = (why: string): Note => ({ favours: 'Penstock', why });
const rivals = (why: string): Note => ({ favours: 'Rivals', why });
const nobody = (why: string): Note => ({ favours: 'Nobody', why });
const PUBLISHED = nobody('As its vendor or an independent test publishes it.');
const LATENCY = us(
  'We have not measured S3 and take WarpStream’s latencies for our own row, marked as estimated. At high load our files are larger, and take longer to write.',
);
const EXPRESS_LATENCY = us(
  'We have not run on S3 Express. We show WarpStream’s latencies, marked as estimated and lowered for our shorter interval.',
);
const SMALL_BENCH = us(
  'Measured on two shared cores, on an S3 server over TLS. WarpStream’s figure is from EC2 and S3.',
);
const SMALL_MERGE = us(
  'Measured with an S3 server in the same machine. Rivals publish all of their requests in one figure.',
);
const KAFKA_BENCH = rivals('Measured without replication and on a local disk, so it is less than a real broker uses.');
const BROKER_RULE = us('Not used by default. The rule is ten times what the bench measured for Kafka.');
const WARP_CPU = us(
  'From 2024, on machines that were less than a third busy. Nothing newer is published for this load.',
);
const WARP_REQUESTS = us('From 2024, at 2:1. At 4:1 its files may be fuller, and its requests per GiB fewer.');
const UNIT = nobody('A unit of what you enter.');

/** The notes, by input. */
export const INPUT_NOTES: Readonly<Record<InputKey, Note>> = {
  // Your load
  throughput: us(
    'At 100 MiB/s, traffic between zones costs a Kafka cluster more than its machines. At 5 MiB/s, a small cluster is cheaper than we are.',
  ),
  throughputUnit: UNIT,
  throughputBasis: nobody('Each system is billed on its own side of compression, whichever you enter.'),
  compressionRatio: rivals(
    'Kafka pays for compressed bytes and we, Bufstream and WarpStream bill uncompressed ones. Of the published 2 and 4, we take 4.',
  ),
  fanout: nobody('With follower fetching, readers cost Kafka no traffic between zones.'),
  retentionDays: us(
    'Three days on three replicas of disks cost Kafka much; with an hour it would cost less. WarpStream’s comparison has three.',
  ),
  partitions: nobody('288, as in every published benchmark; no system is bounded by so few.'),
  peakToAverage: nobody('Machines of every system are sized for the same peak.'),
  // Cloud and billing
  cloud: us(
    'AWS charges most for traffic between zones, and it is the cloud of every published comparison. Azure charges nothing.',
  ),
  region: nobody('The catalog has one region for each cloud.'),
  regionFactor: nobody('Used only for another region.'),
  zones: us('In one zone, Kafka pays no traffic between zones. The row “one zone” shows it.'),
  fetchFromFollower: rivals('Many clusters run without it. It saves Kafka two thirds of the traffic to readers.'),
  commitment: us(
    'Kafka has more machines than we have, so a one-year price saves it more. Nobody is forced to commit.',
  ),
  reservedFactor: nobody('The same factor for every machine without a known price.'),
  monthHours: UNIT,
  byteUnit: nobody('AWS bills GB of 10^9 bytes; the meter of vendors counts GiB.'),
  minAgents: nobody('The same for every system of agents.'),
  recordBytes: us(
    'At low load it bounds our PUTs and WarpStream’s. A trickle of smaller records would cause more files.',
  ),
  storedOverhead: nobody('The same for every system on object storage, from the only vendor that publishes it.'),
  // Latency
  latencyMode: nobody('The standard mode, which costs less.'),
  standardBatchMs: nobody('The same interval for WarpStream and us.'),
  standardBatchMib: us(
    'Files of 15 MiB mean fewer PUTs for us alone: rivals’ PUTs are those that they published, of smaller files. It is what our agent does.',
  ),
  landingBatchMs: rivals(
    'Half of WarpStream’s interval. It is what our agent does, and at low load we pay for twice as many files.',
  ),
  expressBatchMib: us(
    'Large files mean few PUTs for us alone, though at most loads the interval ends before a file is full. Nothing of it is measured on S3 Express.',
  ),
  expressBatchMs: nobody('What WarpStream documents, and the interval of its published figures.'),
  expressCopies: nobody('As WarpStream measured; our design writes to two of three.'),
  standardProduceP50: LATENCY,
  standardProduceP99: LATENCY,
  standardEndP50: LATENCY,
  standardEndP99: LATENCY,
  expressProduceP50: EXPRESS_LATENCY,
  expressProduceP99: EXPRESS_LATENCY,
  expressEndP50: EXPRESS_LATENCY,
  expressEndP99: EXPRESS_LATENCY,
  // Penstock and its agents
  penstockCluster: nobody('A cluster with an SLA is compared with one.'),
  agentMachine: us(
    'The cheapest of the same six machines for every system. Two of them have much network for their price. That helps us most, because we count the network of merging.',
  ),
  agentWriteCpu: SMALL_BENCH,
  agentReadCpu: SMALL_BENCH,
  cpuTarget: nobody('The same headroom for every system.'),
  agentMergeCpu: us(
    'Measured on two shared cores, on an S3 server over TLS. Rivals’ merging is inside the CPU that they publish.',
  ),
  restoreWindowHours: rivals(
    'Our merged files are stored for a day; how long theirs stay is not published and not counted.',
  ),
  mergeRewrites: rivals('Our merging takes network; what theirs takes is not published and not counted.'),
  compactionPutPerGib: SMALL_MERGE,
  compactionGetPerGib: nobody('What our policy leads to at most. Rivals publish all of their requests in one figure.'),
  getsPerFile: rivals('The most that our test allows. We measured 1.0.'),
  natGateways: rivals(
    'We count gateways and traffic to our service. WarpStream’s agents talk to a hosted service too, but it publishes no bytes, so nothing is counted.',
  ),
  commitBytesPerRun: us(
    'The commit is measured; that locating a run takes as much is an assumption. Heartbeats are not counted.',
  ),
  // Brokers
  brokerMachine: rivals(
    'The same six machines as for agents. Small ones make Kafka’s brokers cheap where disks decide their number.',
  ),
  networkTarget: nobody('The same headroom for every system.'),
  replicationFactor: nobody('Three copies, as object storage keeps at least as many.'),
  storageUtilization: us(
    'Half-empty disks double Kafka’s largest cost. It is what AWS and Buf recommend; well-watched clusters run at 70 to 80%.',
  ),
  kafkaWriteCpu: KAFKA_BENCH,
  kafkaReadCpu: KAFKA_BENCH,
  kafkaReplicaCpu: rivals('Not measured: twice a read is likely too little for a copy that is written.'),
  alikeMibPerCore: nobody('Not used by default. It is the same for all.'),
  brokerInMibPerVcpu: BROKER_RULE,
  brokerOutMibPerVcpu: BROKER_RULE,
  maxDiskTib: nobody('The limit of MSK and Buf’s choice; smaller brokers would cost more.'),
  partitionsPerBroker: rivals('Many advise fewer. No default load comes near.'),
  minBrokers: nobody('As in every published comparison.'),
  diskIncludedMb: nobody('What gp3 includes.'),
  tieredLocalHours: rivals('An hour on disk is little; many clusters keep a day.'),
  tierObjects: nobody('What Apache Kafka uploads.'),
  segmentMib: rivals('Large segments mean few uploads.'),
  // Other systems
  redpandaMibPerVcpu: us(
    'The vendor claims 13.6. The lower figure is from an independent test with TLS and 50 producers.',
  ),
  redpandaMachine: rivals('The densest disks of four machines, whichever costs least.'),
  mskBroker: rivals('The cheapest of four sizes.'),
  mskReplicasPerBroker: nobody('AWS’s recommendation for the sizes that are cheapest here.'),
  expressInMb: nobody('AWS’s recommendation; the hard limit is higher.'),
  expressOutMb: PUBLISHED,
  expressReplicas: PUBLISHED,
  serverlessInMb: PUBLISHED,
  serverlessOutMb: PUBLISHED,
  serverlessPartitions: PUBLISHED,
  automqPutPerGib: PUBLISHED,
  automqGetPerGib: PUBLISHED,
  bufstreamCpu: rivals('“Less than one busy CPU” counts as one, but the benchmark is Buf’s own.'),
  bufstreamReadShare: nobody('Not published; WarpStream’s ratio.'),
  bufstreamMetadataMib: PUBLISHED,
  bufstreamEtcd: us('Three m6in.large as in the benchmark, of which an eighth was busy. Smaller machines may do.'),
  bufstreamPutPerGib: PUBLISHED,
  bufstreamGetPerGib: rivals('Further readers cause no more GETs, because Buf publishes none.'),
  warpstreamPlan: nobody('The smallest plan that holds the partitions.'),
  warpstreamWriteCpu: WARP_CPU,
  warpstreamReadCpu: WARP_CPU,
  warpstreamGetGrowth: PUBLISHED,
  warpstreamBatchMs: PUBLISHED,
  warpstreamExpressBatchMs: PUBLISHED,
  warpstreamPutPerGib: WARP_REQUESTS,
  warpstreamGetPerGib: WARP_REQUESTS,
  warpstreamExpressPutPerGib: PUBLISHED,
  warpstreamExpressGetPerGib: PUBLISHED,
  // Comparison
  cpuBasis: us(
    'Our figures and Kafka’s come from our bench, which is small; rivals’ come from production machines. “The same for all” takes that away.',
  ),
  rival: us(
    'Kafka costs more than AutoMQ, Bufstream and WarpStream do. It is what most readers run. Choose another to compare with it.',
  ),
};

export interface Omission extends Note {
  readonly what: string;
  /** The systems that it is about. */
  readonly systems: readonly string[];
}

/** Assumptions and omissions of the models, beyond the inputs. */
export const OMISSIONS: readonly Omission[] = [
  {
    what: 'Working hours',
    systems: ['kafka', 'kafka-follower', 'kafka-one-zone', 'kafka-tiered', 'redpanda', 'redpanda-tiered', 'automq'],
    ...rivals('Nobody’s time is counted, and brokers take more of it than agents.'),
  },
  {
    what: 'Discounts',
    systems: [
      'msk',
      'msk-express',
      'msk-serverless',
      'redpanda-serverless',
      'bufstream',
      'warpstream',
      'warpstream-express',
    ],
    ...us('List prices for everyone. Large vendors discount more than we do.'),
  },
  {
    what: 'Licenses that are not public',
    systems: ['redpanda-tiered', 'automq'],
    ...rivals('Their rows show the infrastructure alone.'),
  },
  {
    what: 'Traffic between zones to managed services without brokers of your own',
    systems: ['msk-serverless', 'redpanda-serverless'],
    ...rivals('Clients may pay it; it is not counted.'),
  },
  {
    what: 'Replays from tiered storage',
    systems: ['kafka-tiered', 'redpanda-tiered'],
    ...rivals('Consumers read the tail; GETs and traffic of replays are not counted.'),
  },
  {
    what: 'Requests of compaction on S3 Express',
    systems: ['warpstream-express'],
    ...rivals('WarpStream publishes none, so none is counted. Ours are.'),
  },
  {
    what: 'Compaction from S3 Express',
    systems: ['penstock-express'],
    ...us('We have not run on S3 Express: its row follows the design, and no measurement.'),
  },
  {
    what: 'NAT and egress on Google Cloud, egress on Azure',
    systems: ['penstock'],
    ...us('We found no price that we could verify there, so it is not counted. Set your own under “Prices”.'),
  },
  {
    what: 'Memory of machines',
    systems: [
      'kafka',
      'kafka-follower',
      'kafka-one-zone',
      'kafka-tiered',
      'automq',
      'penstock',
      'bufstream',
      'warpstream',
    ],
    ...rivals('All have 4 GiB for each CPU, the smallest 8 GiB. A broker that serves a backlog may need more.'),
  },
  {
    what: 'Bandwidth of machines to their disks',
    systems: ['kafka', 'kafka-follower', 'kafka-one-zone', 'kafka-tiered'],
    ...rivals('It does not bound the number of brokers, though small machines write to their disks more slowly.'),
  },
  {
    what: 'A recent machine for brokers, and M7g for MSK',
    systems: ['kafka', 'kafka-follower', 'kafka-one-zone', 'msk'],
    ...rivals('Published comparisons use r4 and m5 machines, which cost more for less.'),
  },
];

export interface DefaultNote extends Note {
  readonly id: string;
  readonly what: string;
  /** The default with its unit; null for what has none. */
  readonly value: string | null;
}

function defaultText(key: string): string {
  const spec = inputNamed(key);
  if (spec === undefined) {
    throw new Error(`no input named "${key}"`);
  }
  if (spec.kind === 'choice') {
    return spec.options.find((option) => option.value === spec.default)?.label ?? spec.default;
  }
  return spec.kind === 'flag' ? (spec.default === 'true' ? 'yes' : 'no') : `${spec.default} ${spec.unit}`;
}

/** Every default with whom it favours, first those that favour us. */
export const DEFAULT_NOTES: readonly DefaultNote[] = [
  ...Object.entries(INPUT_NOTES).map(([key, note]) => ({
    id: key,
    what: inputNamed(key)?.label ?? key,
    value: defaultText(key),
    ...note,
  })),
  ...OMISSIONS.map(({ what, favours, why }) => ({ id: what, what, value: null, favours, why })),
];

/** The notes of one party. Defaults with one reason share a note. */
export function notesFavouring(favours: Favoured): readonly DefaultNote[] {
  const byReason = new Map<string, DefaultNote>();
  for (const note of DEFAULT_NOTES) {
    if (note.favours === favours) {
      const before = byReason.get(note.why);
      byReason.set(
        note.why,
        before === undefined
          ? note
          : {
              ...before,
              what: `${before.what}; ${note.what}`,
              value: before.value === null || note.value === null ? before.value : `${before.value}; ${note.value}`,
            },
      );
    }
  }
  return [...byReason.values()];
}
