// Requests of consumer groups in the versions that hold what the small differences are about.
import { RawConnection } from '../support/raw-connection.ts';
import { int32, int64 } from '../support/raw-kafka.ts';
import { Reader } from '../support/wire-reader.ts';
import { boolean, compactArray, compactBytes, compactString, struct } from '../support/wire-writer.ts';

/** A limit that only hanging requests reach. */
const TIMEOUT_MS = 60_000;
const SESSION_MS = 6_000;
/** Not that of consumers, whose subscriptions Kafka reads. */
const PROTOCOL_TYPE = 'raw';
const ASSIGNMENT = Buffer.from('assigned');

export interface Joined {
  errorCode: number;
  generationId: number;
  leader: string;
  skipAssignment: boolean;
  memberId: string;
}

export interface Heartbeat {
  errorCode: number;
  memberId: string;
  memberEpoch: number;
}

/** One connection to the coordinator of a group. */
export class GroupRequests {
  readonly #connection: RawConnection;
  readonly #group: string;

  private constructor(connection: RawConnection, group: string) {
    this.#connection = connection;
    this.#group = group;
  }

  static async open(bootstrap: string, group: string): Promise<GroupRequests> {
    return new GroupRequests(await RawConnection.open(bootstrap, TIMEOUT_MS), group);
  }

  close(): void {
    this.#connection.close();
  }

  /** JoinGroup version 9 of a static member, with sessions of 6 s, the shortest of both systems. */
  async join(instanceId: string): Promise<Joined> {
    const protocol = struct(compactString('range'), compactBytes(Buffer.from('subscription')));
    const reader = await this.#ask(11, 9, [
      ...[compactString(this.#group), int32(SESSION_MS), int32(SESSION_MS), compactString('')],
      ...[compactString(instanceId), compactString(PROTOCOL_TYPE), compactArray([protocol]), compactString(null)],
    ]);
    reader.int32(); // throttle time
    const [errorCode, generationId] = [reader.int16(), reader.int32()];
    reader.compactString(); // protocol type
    reader.compactString(); // protocol
    const leader = reader.compactString();
    const skipAssignment = reader.bytes(1)[0] === 1;
    return { errorCode, generationId, leader, skipAssignment, memberId: reader.compactString() };
  }

  /** SyncGroup version 5 of a leader that is alone. Returns the error code. */
  async sync({ generationId, memberId }: Joined, instanceId: string): Promise<number> {
    const assignment = struct(compactString(memberId), compactBytes(ASSIGNMENT));
    const reader = await this.#ask(14, 5, [
      ...[compactString(this.#group), int32(generationId), compactString(memberId), compactString(instanceId)],
      ...[compactString(PROTOCOL_TYPE), compactString('range'), compactArray([assignment])],
    ]);
    reader.int32(); // throttle time
    return reader.int16();
  }

  /** Heartbeat version 4. Returns the error code. */
  async beat({ generationId, memberId }: Joined, instanceId: string): Promise<number> {
    const reader = await this.#ask(12, 4, [
      ...[compactString(this.#group), int32(generationId), compactString(memberId), compactString(instanceId)],
    ]);
    reader.int32(); // throttle time
    return reader.int16();
  }

  /** The state of the group by DescribeGroups version 5. */
  async state(): Promise<string> {
    const reader = await this.#ask(15, 5, [compactArray([compactString(this.#group)]), boolean(false)]);
    reader.int32(); // throttle time
    const [state = ''] = reader.compactArray(() => {
      reader.int16(); // error code
      reader.compactString(); // group
      return reader.compactString();
    });
    return state;
  }

  /** ConsumerGroupHeartbeat version 1. Epoch 0 joins, -1 leaves. */
  async consumerHeartbeat(memberId: string, epoch: number, topic: string): Promise<Heartbeat> {
    const isJoining = epoch === 0;
    const reader = await this.#ask(68, 1, [
      ...[compactString(this.#group), compactString(memberId), int32(epoch)],
      ...[compactString(null), compactString(null)], // instance, rack
      int32(isJoining ? SESSION_MS : -1),
      compactArray(isJoining ? [compactString(topic)] : null),
      ...[compactString(null), compactString(null)], // regular expression, assignor
      compactArray(isJoining ? [] : null),
    ]);
    reader.int32(); // throttle time
    const errorCode = reader.int16();
    reader.compactString(); // error message
    return { errorCode, memberId: reader.compactString(), memberEpoch: reader.int32() };
  }

  /** OffsetCommit version 9 of partition 0. Returns the error code. */
  async commit(memberId: string, epoch: number, topic: string, offset: number): Promise<number> {
    const partition = struct(int32(0), int64(BigInt(offset)), int32(-1), compactString(''));
    const reader = await this.#ask(8, 9, [
      ...[compactString(this.#group), int32(epoch), compactString(memberId), compactString(null)],
      compactArray([struct(compactString(topic), compactArray([partition]))]),
    ]);
    reader.int32(); // throttle time
    reader.compactLength(); // topics
    reader.compactString();
    reader.compactLength(); // partitions
    reader.int32();
    return reader.int16();
  }

  /** OffsetFetch version 9 of partition 0: the error code of the group, if any, or the offset. */
  async committed(memberId: string | null, epoch: number, topic: string): Promise<string> {
    const partitions = struct(compactString(topic), compactArray([int32(0)]));
    const group = struct(
      ...[compactString(this.#group), compactString(memberId), int32(epoch), compactArray([partitions])],
    );
    const reader = await this.#ask(9, 9, [compactArray([group]), boolean(false)]);
    reader.int32(); // throttle time
    reader.compactLength(); // groups
    reader.compactString();
    const [offset = ''] = reader.compactArray(() => {
      reader.compactString(); // topic
      const [only = ''] = reader.compactArray(() => {
        reader.int32(); // partition
        const found = String(reader.int64());
        reader.int32(); // leader epoch
        reader.compactString(); // metadata
        const errorCode = reader.int16();
        reader.bytes(1);
        return errorCode === 0 ? found : `partition's error ${errorCode}`;
      });
      reader.bytes(1);
      return only;
    });
    const errorCode = reader.int16();
    return errorCode === 0 ? offset : `error ${errorCode}`;
  }

  async #ask(apiKey: number, version: number, fields: readonly Buffer[]): Promise<Reader> {
    return new Reader(await this.#connection.ask(apiKey, version, struct(...fields), TIMEOUT_MS, true));
  }
}
