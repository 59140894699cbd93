// Choosing the mode of a cluster: when it is created, and later.
export { ModeChoice } from './mode-choice';
export { MODE_NAMES } from './mode-names';
