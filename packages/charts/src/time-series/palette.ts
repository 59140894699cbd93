// Colours of lines. Any two are distinguishable with every common kind of colour blindness, and each has enough contrast with the page; the
// test next to this file computes both. `light-dark` follows the `color-scheme` that the theme sets on the page.

/** By theme, in the order in which lines take them. The first two are the design's own colours for data in and out. */
export const palette = {
  light: ['#1479b0', '#c16229', '#3d2980', '#6f1b0d', '#904961', '#2694eb'],
  dark: ['#4eb8e9', '#e7963e', '#8ff0cf', '#2e6799', '#b4561a', '#27998d'],
} as const;

/** This many lines have their own colour; the rest are grey until one is selected. */
export const COLOUR_COUNT = palette.light.length;

/** The CSS colour of the line at a position; grey from `COLOUR_COUNT` on. */
export function colourAt(place: number): string {
  const light = palette.light[place];
  const dark = palette.dark[place];
  return light === undefined || dark === undefined ? 'var(--line-input)' : `light-dark(${light}, ${dark})`;
}
