// A broker of Apache Kafka shows a change a little after its controller has acknowledged it: on a busy machine, after the next command.
import kafkajs, { type Admin } from 'kafkajs';
import { until } from '../support/run.ts';

const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;

const MARK = {
  resourceType: AclResourceTypes.TOPIC,
  resourceName: 'caught-up',
  resourcePatternType: ResourcePatternTypes.LITERAL,
  principal: 'User:nobody',
  host: '*',
  operation: AclOperationTypes.READ,
  permissionType: AclPermissionTypes.ALLOW,
} as const;

/**
 * Returns once the broker shows everything that its controller has acknowledged. It adds an ACL and takes it away: a broker applies changes
 * in the order of the log, and of one batch the topics and configs before the ACLs.
 */
export async function brokerHasCaughtUp(admin: Admin): Promise<void> {
  const isThere = async (): Promise<boolean> => (await admin.describeAcls(MARK)).resources.length > 0;
  await admin.createAcls({ acl: [MARK] });
  await until('an added ACL is shown', isThere);
  await admin.deleteAcls({ filters: [MARK] });
  await until('a deleted ACL is gone', async () => !(await isThere()));
}
