export * from './price-book.ts';
export * from './tiers.ts';
