'use client';

import { type Role, rolesWithinReach } from '@penstock/tenancy/permissions';
import { ActionsTh, Badge, Button, Menu, MenuItem, MenuSeparator, Table, Td, Th, Tr } from '@penstock/ui';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { ROLE_TEXTS } from '../../lib/roles';
import { useMay } from '../../lib/session';
import { DateTime } from '../../lib/time';
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
      <Table label="Members" stacks>
        <thead>
          <tr>
            <Th>Member</Th>
            <Th>Role</Th>
            <Th>Joined</Th>
            <ActionsTh />
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <Tr key={member.userId}>
              <Td className="min-w-44" stack="title">
                <span className="flex flex-wrap items-center gap-2 font-medium text-ink">
                  {member.name}
                  {member.userId === ownId ? <Badge>You</Badge> : null}
                </span>
                <span className="block text-ink-3 text-xs [overflow-wrap:anywhere]">{member.email}</span>
              </Td>
              <Td>
                {ROLE_TEXTS[member.role].label}
                {member.clusterRoles.length === 0 ? null : (
                  <span className="block text-ink-3 text-xs">
                    {member.clusterRoles.length === 1
                      ? 'and a role for 1 cluster'
                      : `and roles for ${member.clusterRoles.length} clusters`}
                  </span>
                )}
              </Td>
              <Td label="Joined">
                <DateTime timeMs={member.joinedAt.getTime()} />
              </Td>
              <Td className="text-right" stack="aside">
                {reach.includes(member.role) ? (
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
                          <MenuItem onSelect={() => setQuestion({ what: 'transfer', member })}>
                            Transfer ownership
                          </MenuItem>
                        ) : null}
                        <MenuSeparator />
                        <MenuItem tone="danger" onSelect={() => setQuestion({ what: 'remove', member })}>
                          Remove member
                        </MenuItem>
                      </>
                    )}
                  </Menu>
                ) : null}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      <ChangeRoleDialog member={asked('role')} onClose={close} choices={reach} />
      <RemoveMemberDialog member={asked('remove')} onClose={close} />
      <TransferOwnershipDialog member={asked('transfer')} onClose={close} />
    </>
  );
}
