// Whether a principal may change the cluster itself, by the decisions of Kafka's StandardAuthorizer. The agents authorize requests; the service
// decides again for changes of users, ACLs and quotas, so that an agent's word is not enough.
import type { Security } from '../model/security.ts';
import {
  AclOperation,
  AclPermission,
  CLUSTER_RESOURCE_NAME,
  PatternType,
  ResourceType,
  WILDCARD_RESOURCE,
} from './acl-numbers.ts';
import { appliesTo } from './applies-to.ts';

/** Those that change users, ACLs (`ALTER`) and quotas (`ALTER_CONFIGS`). */
export type ClusterChange = 'ALTER' | 'ALTER_CONFIGS';

/**
 * Without ACLs everybody may. In shadow mode ACLs count here as when they are enforced: who may change the rules is decided by the rules from
 * their first day.
 * @param host an address, with or without Kafka's leading slash
 */
export function mayChangeCluster(
  { settings, acls }: Pick<Security, 'settings' | 'acls'>,
  principal: string,
  host: string,
  change: ClusterChange,
): boolean {
  if (settings.aclMode === 'disabled' || settings.superUsers.includes(principal)) {
    return true;
  }
  const ofCluster = [...acls.values()].filter(
    ({ resourceType, patternType, resourceName }) =>
      resourceType === ResourceType.CLUSTER &&
      (patternType === PatternType.PREFIXED
        ? CLUSTER_RESOURCE_NAME.startsWith(resourceName)
        : resourceName === CLUSTER_RESOURCE_NAME || resourceName === WILDCARD_RESOURCE),
  );
  if (ofCluster.length === 0) {
    return settings.allowEveryoneIfNoAclFound;
  }
  const mine = ofCluster
    .filter(appliesTo(principal, host))
    .filter(({ operation }) => operation === AclOperation.ALL || operation === AclOperation[change]);
  return (
    mine.every(({ permissionType }) => permissionType !== AclPermission.DENY) &&
    mine.some(({ permissionType }) => permissionType === AclPermission.ALLOW)
  );
}
