// Durations: exact constants and short text.

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const MINUTE_S = 60;
export const HOUR_S = 60 * MINUTE_S;
export const DAY_S = 24 * HOUR_S;

/** The two largest units of a duration: `850 ms`, `12.3 s`, `4 min 12 s`, `3 h 5 min`, `2 d 4 h`. */
export function formatDurationMs(durationMs: number): string {
  if (!Number.isFinite(durationMs)) {
    throw new RangeError(`cannot format ${durationMs} as a duration`);
  }
  if (durationMs < 0) {
    return `-${formatDurationMs(-durationMs)}`;
  }
  if (durationMs < 10) {
    return `${Number(durationMs.toFixed(1))} ms`;
  }
  if (Math.round(durationMs) < SECOND_MS) {
    return `${Math.round(durationMs)} ms`;
  }
  if (durationMs < MINUTE_MS - 50) {
    return `${Number((durationMs / SECOND_MS).toFixed(1))} s`;
  }
  if (durationMs < HOUR_MS - 500) {
    return twoUnits(Math.round(durationMs / SECOND_MS), 60, 'min', 's');
  }
  if (durationMs < DAY_MS - MINUTE_MS / 2) {
    return twoUnits(Math.round(durationMs / MINUTE_MS), 60, 'h', 'min');
  }
  return twoUnits(Math.round(durationMs / HOUR_MS), 24, 'd', 'h');
}

function twoUnits(small: number, perLarge: number, largeName: string, smallName: string): string {
  const large = Math.floor(small / perLarge);
  const rest = small % perLarge;
  return rest === 0 ? `${large} ${largeName}` : `${large} ${largeName} ${rest} ${smallName}`;
}
