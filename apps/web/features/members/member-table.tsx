'use client';

import { type Role, rolesWithinReach } from '@penstock/tenancy/permissions';
import { Badge, Button, Menu, MenuItem, MenuSeparator } from '@penstock/ui';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { ROLE_TEXTS } from '../../lib/roles';
import { useMay } from '../../lib/session';
import { DataTable } from '../../lib/table';
import { ChangeRoleDialog, type Member, RemoveMemberDialog, TransferOwnershipDialog } from './member-dialogs';

interface Question {
  what: 'role' | 'remove' | 'transfer';
  member: Member;
}

export function MemberTable({ members, ownRole, ownId }: { members: readonly Member[]; ownRole: Role; ownId: string }) {
  const may = useMay();
  const reach = rolesWithinReach(ownRole);
  const [question, setQuestion] = useState<Question | null>(null);
  const asked = (what: Question['what']) => (question?.what === what ? question.member : null);
  const close = () => setQuestion(null);
  return (
    <>
      <DataTable
        label="Members"
        noun="member"
        address=""
        filterBy="name or email"
        rows={members}
        rowKey={({ userId }) => userId}
        actions={(member) =>
          reach.includes(member.role) ? (
            <Menu
              trigger={
                <Button variant="quiet" size="icon" aria-label={`Actions for ${member.name}`}>
                  <Ellipsis aria-hidden />
                </Button>
              }
            >
              <MenuItem onSelect={() => setQuestion({ what: 'role', member })}>Change role</MenuItem>
              {member.userId === ownId ? null : (
                <>
                  {may('owner:write') ? (
                    <MenuItem onSelect={() => setQuestion({ what: 'transfer', member })}>Transfer ownership</MenuItem>
                  ) : null}
                  <MenuSeparator />
                  <MenuItem tone="danger" onSelect={() => setQuestion({ what: 'remove', member })}>
                    Remove member
                  </MenuItem>
                </>
              )}
            </Menu>
          ) : null
        }
        actionsPlace={{ stack: 'aside' }}
        columns={[
          {
            key: 'member',
            header: 'Member',
            stack: 'title',
            className: 'min-w-44',
            value: ({ name }) => name,
            search: ({ name, email }) => `${name} ${email}`,
            cell: ({ name, email, userId }) => (
              <>
                <span className="flex flex-wrap items-center gap-2 font-medium text-ink">
                  {name}
                  {userId === ownId ? <Badge>You</Badge> : null}
                </span>
                <span className="block text-ink-3 text-xs [overflow-wrap:anywhere]">{email}</span>
              </>
            ),
          },
          {
            key: 'role',
            header: 'Role',
            value: ({ role }) => ROLE_TEXTS[role].label,
            cell: ({ role, clusterRoles }) => (
              <>
                {ROLE_TEXTS[role].label}
                {clusterRoles.length === 0 ? null : (
                  <span className="block text-ink-3 text-xs">
                    {clusterRoles.length === 1
                      ? 'and a role for 1 cluster'
                      : `and roles for ${clusterRoles.length} clusters`}
                  </span>
                )}
              </>
            ),
          },
          { key: 'joined', header: 'Joined', label: 'Joined', value: ({ joinedAt }) => joinedAt },
        ]}
      />
      <ChangeRoleDialog member={asked('role')} onClose={close} choices={reach} />
      <RemoveMemberDialog member={asked('remove')} onClose={close} />
      <TransferOwnershipDialog member={asked('transfer')} onClose={close} />
    </>
  );
}
