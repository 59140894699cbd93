export * from './catalogue.ts';
export * from './machines.ts';
export type { CatalogueEntry, PriceTier, PriceUnit, Provider } from './types.ts';
