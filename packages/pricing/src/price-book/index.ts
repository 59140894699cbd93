export * from './price-book.ts';
