// Colours of cost components: distinct in hue and lightness in both themes. The legend, the titles and the table behind every bar name the
// components in words.
import type { Component } from '@penstock/pricing';

export const COMPONENT_COLOURS: Readonly<Record<Component, string>> = {
  'vendor fee': 'light-dark(oklch(0.58 0.145 46), oklch(0.73 0.135 54))',
  compute: 'light-dark(oklch(0.45 0.12 255), oklch(0.62 0.13 255))',
  'inter-zone network': 'light-dark(oklch(0.62 0.19 20), oklch(0.7 0.16 18))',
  'internet and NAT': 'light-dark(oklch(0.66 0.15 135), oklch(0.78 0.14 135))',
  'block storage': 'light-dark(oklch(0.5 0.1 165), oklch(0.7 0.11 165))',
  'object storage': 'light-dark(oklch(0.72 0.11 190), oklch(0.83 0.09 190))',
  requests: 'light-dark(oklch(0.78 0.13 88), oklch(0.87 0.12 92))',
  'upload and retrieval': 'light-dark(oklch(0.52 0.13 310), oklch(0.72 0.12 310))',
};
