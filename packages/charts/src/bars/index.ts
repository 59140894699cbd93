// Horizontal bars. They need no script and render on the server, so they have their own door.
export { Bar } from './bar.tsx';
export { type Stripe, stackedStripes } from './stripes.ts';
