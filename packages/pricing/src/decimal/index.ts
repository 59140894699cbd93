export * from './decimal.ts';
export * from './format.ts';
