// Colours of lines. Chosen so that any two stay apart for every common kind of colour blindness and each stands out from the page; the test
// beside this file computes both. `light-dark` follows the `color-scheme` that the theme sets on the page.

/** By theme, in the order in which lines take them. The first two are the design's own colours of what flows in and out. */
export const palette = {
  light: ['#1479b0', '#c16229', '#3d2980', '#6f1b0d', '#904961', '#2694eb'],
  dark: ['#4eb8e9', '#e7963e', '#8ff0cf', '#2e6799', '#b4561a', '#27998d'],
} as const;

/** So many lines have a colour of their own; the rest are drawn in grey until one of them is picked out. */
export const COLOUR_COUNT = palette.light.length;

/** The CSS colour of the line at a place; grey beyond `COLOUR_COUNT`. */
export function colourAt(place: number): string {
  const light = palette.light[place];
  const dark = palette.dark[place];
  return light === undefined || dark === undefined ? 'var(--line-input)' : `light-dark(${light}, ${dark})`;
}
