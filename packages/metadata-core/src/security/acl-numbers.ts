// Kafka's numbers for ACLs, of its enums in org.apache.kafka.common.resource and org.apache.kafka.common.acl.

export const ResourceType = {
  ANY: 1,
  TOPIC: 2,
  GROUP: 3,
  CLUSTER: 4,
  TRANSACTIONAL_ID: 5,
  DELEGATION_TOKEN: 6,
  USER: 7,
} as const;

export const PatternType = { ANY: 1, MATCH: 2, LITERAL: 3, PREFIXED: 4 } as const;

export const AclOperation = {
  ANY: 1,
  ALL: 2,
  READ: 3,
  WRITE: 4,
  CREATE: 5,
  DELETE: 6,
  ALTER: 7,
  DESCRIBE: 8,
  CLUSTER_ACTION: 9,
  DESCRIBE_CONFIGS: 10,
  ALTER_CONFIGS: 11,
  IDEMPOTENT_WRITE: 12,
  CREATE_TOKENS: 13,
  DESCRIBE_TOKENS: 14,
  TWO_PHASE_COMMIT: 15,
} as const;

export const AclPermission = { ANY: 1, DENY: 2, ALLOW: 3 } as const;

/** The only resource of type CLUSTER. */
export const CLUSTER_RESOURCE_NAME = 'kafka-cluster';

/** A literal pattern of this name matches every resource of its type. */
export const WILDCARD_RESOURCE = '*';
