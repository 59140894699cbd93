// Which topics a principal may describe, by the decisions of Kafka's StandardAuthorizer. The agents authorize requests. This is for what the
// service itself finds on behalf of a client: the topics of a regular expression.
import type { Security } from '../model/security.ts';
import { AclOperation, AclPermission, PatternType, ResourceType, WILDCARD_RESOURCE } from './acl-numbers.ts';
import { appliesTo } from './applies-to.ts';

/** Each of them includes DESCRIBE, if allowed. */
const INCLUDING_DESCRIBE: ReadonlySet<number> = new Set([
  AclOperation.ALL,
  AclOperation.DESCRIBE,
  AclOperation.READ,
  AclOperation.WRITE,
  AclOperation.DELETE,
  AclOperation.ALTER,
]);
const DENYING_DESCRIBE: ReadonlySet<number> = new Set([AclOperation.ALL, AclOperation.DESCRIBE]);

/**
 * Tells of each topic whether the principal may describe it, by the ACLs of now. All topics are visible unless ACLs are enforced.
 * @param host an address, with or without Kafka's leading slash
 */
export function topicVisibility(
  { settings, acls }: Pick<Security, 'settings' | 'acls'>,
  principal: string,
  host: string,
): (topic: string) => boolean {
  if (settings.aclMode !== 'enforced' || settings.superUsers.includes(principal)) {
    return () => true;
  }
  const ofTopics = [...acls.values()].filter(({ resourceType }) => resourceType === ResourceType.TOPIC);
  const literal = Map.groupBy(
    ofTopics.filter(({ patternType }) => patternType === PatternType.LITERAL),
    ({ resourceName }) => resourceName,
  );
  const prefixed = ofTopics.filter(({ patternType }) => patternType === PatternType.PREFIXED);
  const concerns = appliesTo(principal, host);
  return (topic) => {
    const found = [
      ...(literal.get(topic) ?? []),
      ...(literal.get(WILDCARD_RESOURCE) ?? []),
      ...prefixed.filter(({ resourceName }) => topic.startsWith(resourceName)),
    ];
    if (found.length === 0) {
      return settings.allowEveryoneIfNoAclFound;
    }
    const mine = found.filter(concerns);
    return (
      !mine.some(
        ({ permissionType, operation }) => permissionType === AclPermission.DENY && DENYING_DESCRIBE.has(operation),
      ) &&
      mine.some(
        ({ permissionType, operation }) => permissionType === AclPermission.ALLOW && INCLUDING_DESCRIBE.has(operation),
      )
    );
  };
}
