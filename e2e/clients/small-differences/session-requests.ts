// Fetch with a session id and epoch, as clients without an implementation of sessions send them.
import { ask, header, int16, int32, int64, string } from '../support/raw-kafka.ts';
import { Reader } from '../support/wire-reader.ts';

const FETCH = 1;
const VERSION = 11;
const MAX_BYTES = 1_000_000;

export interface SessionAnswer {
  errorCode: number;
  /** Topics in the answer. */
  topics: number;
}

/** Fetches partition 0 of the topic from its start. */
export async function fetchInSession(
  bootstrap: string,
  topic: string,
  { sessionId, epoch }: { sessionId: number; epoch: number },
): Promise<SessionAnswer> {
  const partition = [int32(0), int32(-1), int64(0n), int64(-1n), int32(MAX_BYTES)];
  const body = [
    ...[int32(-1), int32(0), int32(0), int32(MAX_BYTES), Buffer.from([0]), int32(sessionId), int32(epoch)],
    ...[int32(1), string(topic), int32(1), ...partition],
    ...[int32(0), int16(0)], // no topics to forget, no rack
  ];
  const reader = new Reader(await ask(bootstrap, Buffer.concat([header(FETCH, VERSION), ...body])));
  reader.int32(); // correlation id
  reader.int32(); // throttle time
  const errorCode = reader.int16();
  reader.int32(); // session id
  return { errorCode, topics: reader.int32() };
}
