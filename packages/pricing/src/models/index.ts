import { AMAZON_MSK } from './amazon-msk.ts';
import { APACHE_KAFKA_FOLLOWER } from './apache-kafka-follower.ts';
import { APACHE_KAFKA_ONE_ZONE } from './apache-kafka-one-zone.ts';
import { APACHE_KAFKA_THREE_ZONES } from './apache-kafka-three-zones.ts';
import { APACHE_KAFKA_TIERED } from './apache-kafka-tiered.ts';
import { AUTOMQ } from './automq.ts';
import { BUFSTREAM } from './bufstream.ts';
import { MSK_EXPRESS } from './msk-express.ts';
import { MSK_SERVERLESS } from './msk-serverless.ts';
import { PENSTOCK_EXPRESS } from './penstock-express.ts';
import { PENSTOCK_STANDARD } from './penstock-standard.ts';
import { REDPANDA } from './redpanda.ts';
import { REDPANDA_SERVERLESS } from './redpanda-serverless.ts';
import { REDPANDA_TIERED } from './redpanda-tiered.ts';
import type { SystemSpec } from './types.ts';
import { WARPSTREAM_EXPRESS } from './warpstream-express.ts';
import { WARPSTREAM_STANDARD } from './warpstream-standard.ts';

export { INPUT_CELLS, SHARED_CELLS } from './shared-cells.ts';
export * from './types.ts';
export { UNPRICED, type UnpricedSystem } from './unpriced.ts';

export const SYSTEMS: readonly SystemSpec[] = [
  PENSTOCK_STANDARD,
  PENSTOCK_EXPRESS,
  APACHE_KAFKA_THREE_ZONES,
  APACHE_KAFKA_FOLLOWER,
  APACHE_KAFKA_ONE_ZONE,
  APACHE_KAFKA_TIERED,
  AMAZON_MSK,
  MSK_EXPRESS,
  MSK_SERVERLESS,
  REDPANDA,
  REDPANDA_TIERED,
  REDPANDA_SERVERLESS,
  AUTOMQ,
  BUFSTREAM,
  WARPSTREAM_STANDARD,
  WARPSTREAM_EXPRESS,
];
