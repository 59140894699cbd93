// The Stripe stand-in, for tests of any package.
export { inProcessClient } from './in-process-client.ts';
export { type Random, seededRandom } from './random.ts';
export { type Delivery, type Faults, noFaults, type StandInOptions, StripeStandIn } from './stand-in.ts';
export { type Charge, DECLINE_MESSAGE, DECLINING_LAST4, SUCCEEDING_LAST4 } from './stand-in-objects.ts';
export { type StandInServer, startStandIn } from './stand-in-server.ts';
