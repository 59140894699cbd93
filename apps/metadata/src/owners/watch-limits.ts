// How many watch streams a cluster may have, and what all of them together may follow and hold. An agent needs one stream; what it follows,
// and what waits for it, is the caller's choice.
import { limits } from '@penstock/metadata-core';
import { MIB } from '../memory/memory-limit.ts';

/** An agent has two for a moment when it reconnects. One more ends its oldest. */
export const MAX_STREAMS_PER_AGENT = 4;
/** Twice as many as there may be agents. */
export const MAX_STREAMS_PER_CLUSTER = 2 * limits.MAX_AGENTS;
/** Partitions that the streams of one agent follow. */
export const MAX_INTEREST_PER_AGENT = 250_000;
/** The sum over all streams: one partition that ten agents follow counts ten times. */
export const MAX_INTEREST_PER_CLUSTER = 1_000_000;
/** Leaves the other keys of the cluster a fifth when one of them takes all it can. */
export const KEY_SHARE = 0.8;
/** Changes and runs that wait to be sent, or are being sent. Beyond it, the stream that holds the most ends. */
export const MAX_NEWS_BYTES = 64 * MIB;
/** First events, each a whole catalogue, that are being sent. Further streams wait; one that is larger is sent alone. */
export const MAX_OPENING_BYTES = 64 * MIB;
/** The stream ends if its reader takes longer to accept an event. Agents that send nothing for half as long are given up. */
export const SEND_TIMEOUT_MS = 20_000;

/** A stream with its timers and its HTTP/2 stream; estimated, like the next two. */
export const STREAM_BYTES = 20_000;
/** An entry in the stream's set, and a set of streams for the partition. */
export const INTEREST_BYTES = 300;
export const WAITING_RUN_BYTES = 100;
/** A partition, topic or agent in an event, besides the characters of its names. */
export const NEWS_ENTRY_BYTES = 400;
