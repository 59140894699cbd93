export { Ago, DateTime } from './time';
export { useNow } from './use-now';
