// Horizontal bars. They are drawn without a script, on the server too, hence a door of their own.
export { Bar } from './bar.tsx';
export { type Stripe, stackedStripes } from './stripes.ts';
