// All thresholds of the rules. We chose them so that a fault appears on the page within 30 seconds (a window of ten
// seconds, a check every five), but rolling restarts and failovers raise nothing.
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@penstock/units';

/** An older slot is stale: a window, half a slot, and the transmission time. */
export const STALE_SLOT_MS = 35 * SECOND_MS;

/** Presence is read, not measured: two checks in a row must agree. */
export const PRESENCE_RAISE_MS = 8 * SECOND_MS;
export const PRESENCE_CLEAR_MS = 4 * SECOND_MS;
/** A takeover between metadata processes takes up to ten seconds. */
export const UNREACHABLE_RAISE_MS = 12 * SECOND_MS;
/**
 * Agents ask a landing bucket that failed again every ten seconds. One failure is seen in two windows, 20 seconds long.
 */
export const LANDING_RAISE_MS = 25 * SECOND_MS;
/** Consumers return sooner in a rolling deployment. */
export const CONSUMERS_STOPPED_RAISE_MS = 9 * SECOND_MS;

/** A cluster without any agent for longer counts as switched off. */
export const NO_AGENT_MEMORY_MS = 24 * HOUR_MS;
/** A zone without an agent for longer counts as given up. */
export const ZONE_MEMORY_MS = HOUR_MS;
/** A group without members for longer counts as ended. */
export const GROUP_MEMORY_MS = 6 * HOUR_MS;
/** The maximum number of groups with a history, those with the greatest lag first. */
export const MOST_GROUPS = 200;

/** Shares of failed attempts: to raise a warning, to make it critical, and below which it is resolved. */
export const ERRORS_RAISE = 0.05;
export const ERRORS_CRITICAL = 0.5;
export const ERRORS_CLEAR = 0.01;
/** Fewer failures within a window may be chance. */
export const LEAST_ERRORS = 3;
/** Writes count as refused if fewer records than this were accepted per Produce request. */
export const NEARLY_NOTHING_ACCEPTED = 0.1;

/** The minimum number of latencies in a window for a 95th percentile. */
export const LEAST_LATENCIES = 5;
/** The number of minutes that define "usual", and the minimum. */
export const USUAL_MINUTES = 60;
export const LEAST_USUAL_MINUTES = 10;
/** A multiple of the usual, and robust standard deviations above it. Both must be exceeded. */
export const USUAL_FACTOR = 3;
export const USUAL_DEVIATIONS = 6;
/** Converts the median absolute deviation of a normal distribution to its standard deviation. */
export const MAD_TO_DEVIATION = 1.4826;
export const LATENCY_RAISE_MS = 4 * SECOND_MS;
/** The limit until the usual is known, and the lowest latency that is ever a finding. */
export const PUT_LIMITS = { unlearned_ms: 5_000, least_ms: 500 } as const;
export const COMMIT_LIMITS = { unlearned_ms: 2_000, least_ms: 100 } as const;

/** Lag is growing if the least lag of each of this many consecutive minutes is above the one before. */
export const LAG_MINUTES = 5;
/** The minimum growth over these minutes. */
export const LEAST_LAG_GROWTH = 100;

export const CLOCK_SKEW_RAISE_MS = 2_000;
export const CLOCK_SKEW_CLEAR_MS = 1_000;

/**
 * After this, a refusal that the agent's own tests do not see is resolved. Agents repeat a continuing one in every
 * report, each ten seconds.
 */
export const REFUSAL_FADES_MS = 22 * SECOND_MS;
/** Storage classes whose objects must be restored before they can be read. */
export const ARCHIVES: readonly string[] = ['GLACIER', 'DEEP_ARCHIVE'];

/** The oldest agent version that the service supports. */
export const OLDEST_SUPPORTED_VERSION = '0.1.0';

/** If more agents than this come or go at once, they are logged as one event. */
export const MOST_AGENT_EVENTS = 20;

/** From this share of a limit of the metadata service on, a cluster is reported. */
export const MEMORY_WARNING_SHARE = 0.8;
/** A call that was refused for lack of room is reported for this long: clients try again. */
export const MEMORY_REFUSAL_CLEAR_MS = 10 * MINUTE_MS;

/** A completion that no job ordered is reported for this long. */
export const JOB_REFUSAL_CLEAR_MS = 60 * MINUTE_MS;

/** A commit whose sizes cannot be true is reported for this long: the agent tries again with every file. */
export const METERING_REFUSAL_CLEAR_MS = 10 * MINUTE_MS;
