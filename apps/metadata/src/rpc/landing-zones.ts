// Checks the landing buckets that an agent reports, which the dashboard and the health rules show.
import type { LandingBuckets } from '@penstock/metadata-protocol';

const MOST_ZONES = 16;
const ZONE_NAME = /^[\w.-]{1,64}$/;

/** The zones with a landing bucket. Undefined for an agent that doesn't say, or that reports anything that no agent would. */
export function landingZones(landing: LandingBuckets | undefined): string[] | undefined {
  const isPlausible =
    landing !== undefined && landing.zones.length <= MOST_ZONES && landing.zones.every((zone) => ZONE_NAME.test(zone));
  return isPlausible ? landing.zones : undefined;
}
