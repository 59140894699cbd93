export * from './binary-bytes.ts';
export * from './byte-sizes.ts';
export * from './calendar.ts';
export { formatCountOf, formatPartOf } from './count-of.ts';
export * from './csv.ts';
export * from './duration.ts';
export * from './short-count.ts';
export * from './time.ts';
