// The input that follows from the models: which of them ours is compared with.
import { SYSTEMS } from '../models/index.ts';
import { choice } from './spec.ts';

export const RIVAL_INPUT = choice(
  'rival',
  'kafka-follower',
  SYSTEMS.filter((system) => system.ours === undefined).map((system) => [system.id, system.name] as const),
  {
    group: 'view',
    label: 'Compared with',
    help: 'The system used for savings, break-even and sensitivity. It doesn’t change any bill.',
    source: 'Kafka as experts run it',
  },
);
