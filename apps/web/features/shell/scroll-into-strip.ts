export interface Strip {
  /** The current scroll position. */
  left: number;
  /** The visible width, in pixels. */
  width: number;
}

export interface Tab {
  /** From the start of the strip. */
  start: number;
  width: number;
}

/** The scroll position, in pixels, that makes a tab fully visible: no further than needed, with part of its neighbour. */
export function scrollIntoStrip({ left, width }: Strip, tab: Tab): number {
  const neighbour = Math.max(0, Math.min(48, (width - tab.width) / 2));
  if (tab.start - neighbour < left) {
    return Math.max(0, tab.start - neighbour);
  }
  const end = tab.start + tab.width + neighbour;
  return end > left + width ? end - width : left;
}
