'use client';

import { rolesWithinReach } from '@penstock/tenancy/permissions';
import { Button, Card } from '@penstock/ui';
import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useMay, useSession } from '../../lib/session';
import { QueryState, useTRPC } from '../../lib/trpc';
import { PageHeader } from '../shell';
import { InvitationsCard } from './invitations-card';
import { InviteDialog } from './invite-dialog';
import { LeaveCard } from './leave-card';
import { MemberTable } from './member-table';

/** The organization's members and invitations. */
export function MembersPage() {
  const { organization, user } = useSession();
  const may = useMay();
  const trpc = useTRPC();
  const members = useQuery(trpc.organization.listMembers.queryOptions());
  const [isInviting, setIsInviting] = useState(false);
  if (organization === null) {
    return null;
  }
  const mayInvite = may('member:write');
  return (
    <>
      <PageHeader
        title="Members"
        description="People with access to this organization. Role changes and removals take effect immediately."
        {...(mayInvite
          ? {
              actions: (
                <Button variant="primary" onClick={() => setIsInviting(true)}>
                  <UserPlus aria-hidden />
                  Invite member
                </Button>
              ),
            }
          : {})}
      />
      <div className="flex flex-col gap-6">
        <Card flush>
          <QueryState query={members} label="Loading members">
            {(list) => <MemberTable members={list} ownRole={organization.role} ownId={user.id} />}
          </QueryState>
        </Card>
        {mayInvite ? <InvitationsCard ownRole={organization.role} /> : null}
        <LeaveCard organizationName={organization.organizationName} />
      </div>
      <InviteDialog
        open={isInviting}
        onClose={() => setIsInviting(false)}
        choices={rolesWithinReach(organization.role)}
      />
    </>
  );
}
