// The ACLs that common kinds of clients need, as Kafka's documentation lists them. Pure.
import type { RouterOutputs } from '../../../lib/trpc';

export type Acl = RouterOutputs['access']['listAcls'][number];

export const PRESETS = [
  { value: 'producer', label: 'Producer', nameLabel: 'Topic' },
  { value: 'consumer', label: 'Consumer group', nameLabel: 'Topic' },
  { value: 'connect', label: 'Kafka Connect worker', nameLabel: 'Prefix of its topics and group' },
  { value: 'streams', label: 'Kafka Streams application', nameLabel: 'Application ID' },
] as const;
export type Preset = (typeof PRESETS)[number]['value'];

export interface PresetFields {
  preset: Preset;
  /** Without the type, e.g. `billing`. */
  user: string;
  /** A topic, the prefix of Connect's names, or the application ID of Streams. */
  name: string;
  /** Whether the topic is a prefix of the topics' names. */
  isPrefix: boolean;
  /** The group, for a consumer. */
  group: string;
}

/** The ACLs for these fields, all of which allow. */
export function presetAcls({ preset, user, name, isPrefix, group }: PresetFields): Acl[] {
  const allow = (
    resourceType: Acl['resourceType'],
    resourceName: string,
    patternType: Acl['patternType'],
    operations: readonly Acl['operation'][],
  ): Acl[] =>
    operations.map((operation) => ({
      resourceType,
      resourceName,
      patternType,
      principal: `User:${user}`,
      host: '*',
      operation,
      permission: 'ALLOW',
    }));
  const pattern = isPrefix ? 'PREFIXED' : 'LITERAL';
  switch (preset) {
    case 'producer':
      return allow('TOPIC', name, pattern, ['WRITE', 'DESCRIBE', 'CREATE']);
    case 'consumer':
      return [...allow('TOPIC', name, pattern, ['READ', 'DESCRIBE']), ...allow('GROUP', group, 'LITERAL', ['READ'])];
    case 'connect':
      // Its configuration, offset and status topics.
      return [
        ...allow('TOPIC', name, 'PREFIXED', ['READ', 'WRITE', 'CREATE', 'DESCRIBE', 'DESCRIBE_CONFIGS']),
        ...allow('GROUP', name, 'PREFIXED', ['READ']),
      ];
    case 'streams':
      // Its repartition and changelog topics. Topics that it reads and writes need ACLs of their own.
      return [
        ...allow('TOPIC', name, 'PREFIXED', [
          'READ',
          'WRITE',
          'CREATE',
          'DELETE',
          'DESCRIBE',
          'DESCRIBE_CONFIGS',
          'ALTER_CONFIGS',
        ]),
        ...allow('GROUP', name, 'PREFIXED', ['READ', 'DESCRIBE']),
        ...allow('TRANSACTIONAL_ID', name, 'PREFIXED', ['WRITE', 'DESCRIBE']),
      ];
  }
}
