// A bar as one CSS background: a change of its parts repaints the bar and lays nothing out. Pure.

/** One part of a bar, in percent of the track. */
export interface Stripe {
  from: number;
  to: number;
  colour: string;
}

/** The background of a track with these stripes; what lies between them is clear. */
export function backgroundOf(stripes: readonly Stripe[]): string {
  let end = 0;
  const stops = stripes.flatMap(({ from, to, colour }) => {
    const gap = from > end ? [`transparent ${percent(end)} ${percent(from)}`] : [];
    end = to;
    return [...gap, `${colour} ${percent(from)} ${percent(to)}`];
  });
  return `linear-gradient(to right, ${[...stops, `transparent ${percent(end)}`].join(', ')})`;
}

/** Stripes that follow on each other, together at least `least` percent wide, so that a small amount can be seen. */
export function stackedStripes(parts: readonly { size: number; colour: string }[], least: number): Stripe[] {
  const whole = parts.reduce((sum, { size }) => sum + size, 0);
  const factor = whole > 0 && whole < least ? least / whole : 1;
  let end = 0;
  return parts.map(({ size, colour }) => {
    const from = end;
    end += size * factor;
    return { from, to: end, colour };
  });
}

function percent(share: number): string {
  return `${share.toFixed(2)}%`;
}
