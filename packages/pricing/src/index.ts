// The door of the pricing package. Pure: no I/O, no clock, no random numbers.
export * from './catalogue/index.ts';
export * from './decimal/index.ts';
export * from './engine/analyse.ts';
export * from './engine/index.ts';
export * from './export/index.ts';
export * from './inputs/default-notes.ts';
export * from './inputs/index.ts';
export {
  COMPONENTS,
  type Component,
  SYSTEMS,
  type SystemSpec,
  UNPRICED,
  type UnpricedSystem,
} from './models/index.ts';
export * from './presets/index.ts';
export * from './price-book/index.ts';
export * from './published/index.ts';
export * from './state/index.ts';
