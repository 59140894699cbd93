// A bar as one CSS background, so that a change repaints the bar and needs no layout. Pure.

/** One part of a bar, in percent of the track. */
export interface Stripe {
  from: number;
  to: number;
  colour: string;
}

/** The background of a track with these stripes, transparent between them. */
export function backgroundOf(stripes: readonly Stripe[]): string {
  let end = 0;
  const stops = stripes.flatMap(({ from, to, colour }) => {
    const gap = from > end ? [`transparent ${percent(end)} ${percent(from)}`] : [];
    end = to;
    return [...gap, `${colour} ${percent(from)} ${percent(to)}`];
  });
  return `linear-gradient(to right, ${[...stops, `transparent ${percent(end)}`].join(', ')})`;
}

/** Adjacent stripes, together at least `least` percent wide, so that a small amount stays visible. */
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
