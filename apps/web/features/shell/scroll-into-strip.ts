export interface Strip {
  /** How far it is scrolled. */
  left: number;
  /** What can be seen of it at once. */
  width: number;
}

export interface Tab {
  /** From the beginning of the strip. */
  start: number;
  width: number;
}

/** How far a strip has to be scrolled so that a tab is whole in view: no further than needed, with some of its neighbour. Pixels. */
export function scrollIntoStrip({ left, width }: Strip, tab: Tab): number {
  const neighbour = Math.max(0, Math.min(48, (width - tab.width) / 2));
  if (tab.start - neighbour < left) {
    return Math.max(0, tab.start - neighbour);
  }
  const end = tab.start + tab.width + neighbour;
  return end > left + width ? end - width : left;
}
