// Every number that the rules decide by. All are of our own choosing: they keep a fault's way to the page under 30 seconds (a window of
// ten seconds, a look every five) and stay clear of what rolling restarts and failovers do by themselves.
import { HOUR_MS, SECOND_MS } from '@penstock/units';

/** A slot that began longer ago says nothing about now: a window, half a slot, and the way here. */
export const STALE_SLOT_MS = 35 * SECOND_MS;

/** Presence is read, not measured: two looks in a row have to agree. */
export const PRESENCE_RAISE_MS = 8 * SECOND_MS;
export const PRESENCE_CLEAR_MS = 4 * SECOND_MS;
/** A takeover between metadata processes takes up to ten seconds. */
export const UNREACHABLE_RAISE_MS = 12 * SECOND_MS;
/** Consumers of a deployment that is rolled come back sooner. */
export const CONSUMERS_STOPPED_RAISE_MS = 9 * SECOND_MS;

/** Without any agent for longer, a cluster is taken to be switched off. */
export const NO_AGENT_MEMORY_MS = 24 * HOUR_MS;
/** A zone without an agent for longer is taken to be given up. */
export const ZONE_MEMORY_MS = HOUR_MS;
/** A group without members for longer is taken to have ended. */
export const GROUP_MEMORY_MS = 6 * HOUR_MS;
/** Groups that are followed, those with the greatest lag first. */
export const MOST_GROUPS = 200;

/** Shares of failed attempts: a finding, a critical one, and below which it is over. */
export const ERRORS_RAISE = 0.05;
export const ERRORS_CRITICAL = 0.5;
export const ERRORS_CLEAR = 0.01;
/** Fewer failures within a window are chance. */
export const LEAST_ERRORS = 3;
/** All writes are refused, or nearly all, when fewer records than this were accepted for each Produce request. */
export const NEARLY_NOTHING_ACCEPTED = 0.1;

/** Latencies within a window that are enough for a 95th percentile. */
export const LEAST_LATENCIES = 5;
/** Minutes that "usual" is made of, and how many it takes at least. */
export const USUAL_MINUTES = 60;
export const LEAST_USUAL_MINUTES = 10;
/** Times the usual, and robust standard deviations above it: both have to be exceeded. */
export const USUAL_FACTOR = 3;
export const USUAL_DEVIATIONS = 6;
/** The median absolute deviation of a normal distribution, times this, is its standard deviation. */
export const MAD_TO_DEVIATION = 1.4826;
export const LATENCY_RAISE_MS = 4 * SECOND_MS;
/** Until enough is known of what is usual; and the least that is ever worth a finding. */
export const PUT_LIMITS = { unlearned_ms: 5_000, least_ms: 500 } as const;
export const COMMIT_LIMITS = { unlearned_ms: 2_000, least_ms: 100 } as const;

/** Lag is growing when the least lag of each of so many minutes in a row is above the one before. */
export const LAG_MINUTES = 5;
/** Over these minutes together. */
export const LEAST_LAG_GROWTH = 100;

export const CLOCK_SKEW_RAISE_MS = 2_000;
export const CLOCK_SKEW_CLEAR_MS = 1_000;

/** A refusal that the agent's own attempts do not see is over after this: agents tell of one that goes on with every report, each ten seconds. */
export const REFUSAL_FADES_MS = 22 * SECOND_MS;
/** Storage classes that have to be restored before they can be read. */
export const ARCHIVES: readonly string[] = ['GLACIER', 'DEEP_ARCHIVE'];

/** The oldest version of the agent that the service still promises to work with. */
export const OLDEST_SUPPORTED_VERSION = '0.1.0';

/** More agents than this that come or go at once are one event. */
export const MOST_AGENT_EVENTS = 20;
