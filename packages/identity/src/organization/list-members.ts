// The members of the organization, with their roles.
import {
  type ClusterRoleEntry,
  listClusterRoles,
  parseClusterRoles,
  parseRole,
  type Role,
  type Scope,
} from '@penstock/tenancy';

export interface MemberRow {
  userId: string;
  name: string;
  email: string;
  role: Role;
  /** Roles for single clusters, by cluster id. */
  clusterRoles: ClusterRoleEntry[];
  joinedAt: Date;
}

export async function listMembers(scope: Scope): Promise<MemberRow[]> {
  const members = await scope.tx.member.findMany({
    where: { organizationId: scope.organizationId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: {
      role: true,
      clusterRoles: true,
      createdAt: true,
      user: { select: { id: true, name: true, email: true } },
    },
  });
  return members.map(({ user, role, clusterRoles, createdAt }) => ({
    userId: user.id,
    name: user.name,
    email: user.email,
    role: parseRole(role),
    clusterRoles: listClusterRoles(parseClusterRoles(clusterRoles)),
    joinedAt: createdAt,
  }));
}
