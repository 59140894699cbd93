export { RenderedAt } from './rendered-at';
export { Ago, DateTime } from './time';
export { useNow } from './use-now';
export { useTimeZone } from './use-time-zone';
