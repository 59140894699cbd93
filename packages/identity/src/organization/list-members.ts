// The members of the organization, with their roles.
import {
  type ClusterRoleEntry,
  listClusterRoles,
  parseClusterRoles,
  parseRole,
  type Role,
  type Scope,
  type Slice,
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

/** When a member joined, and the user's id. */
export type MemberOrder = readonly [Date, string];

/** Those who joined first come first. */
export async function listMembers(scope: Scope, slice?: Slice<MemberOrder>): Promise<MemberRow[]> {
  const [joinedAt, userId] = slice?.after ?? [];
  const members = await scope.tx.member.findMany({
    where: {
      organizationId: scope.organizationId,
      ...(joinedAt === undefined || userId === undefined
        ? {}
        : { createdAt: { gte: joinedAt }, OR: [{ createdAt: { gt: joinedAt } }, { userId: { gt: userId } }] }),
    },
    orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
    ...(slice === undefined ? {} : { take: slice.limit }),
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
