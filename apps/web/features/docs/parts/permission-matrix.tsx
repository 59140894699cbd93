import { isAllowed, permissions, roles } from '@penstock/tenancy/permissions';
import { Table, Td, Th, Tr } from '@penstock/ui';
import { Check, Minus } from 'lucide-react';
import { ROLE_TEXTS } from '../../../lib/roles';
import { Code } from './text-parts';

/** The permission matrix, from the same file that the procedures check. */
export function PermissionMatrix() {
  return (
    <div className="mt-6 rounded-lg border border-line bg-surface">
      <Table label="Permissions by role" stacks>
        <thead>
          <tr>
            <Th>Permission</Th>
            {roles.map((role) => (
              <Th key={role} className="text-center">
                {ROLE_TEXTS[role].label}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {permissions.map((permission) => (
            <Tr key={permission}>
              <Td stack="title">
                <Code>{permission}</Code>
              </Td>
              {roles.map((role) => (
                <Td key={role} className="text-center" label={ROLE_TEXTS[role].label}>
                  <Mark isAllowed={isAllowed(role, permission)} />
                </Td>
              ))}
            </Tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

function Mark({ isAllowed }: { isAllowed: boolean }) {
  const Icon = isAllowed ? Check : Minus;
  return (
    <>
      <Icon aria-hidden className={`inline size-4 ${isAllowed ? 'text-ok-ink' : 'text-ink-3'}`} />
      <span className="sr-only">{isAllowed ? 'yes' : 'no'}</span>
    </>
  );
}

/** The roles in words. */
export function RoleList() {
  return (
    <dl className="mt-6 grid gap-x-6 gap-y-2 text-ink-2 leading-7 sm:grid-cols-[6rem_minmax(0,1fr)]">
      {roles.map((role) => (
        <div key={role} className="contents">
          <dt className="font-medium text-ink">{ROLE_TEXTS[role].label}</dt>
          <dd>{ROLE_TEXTS[role].meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
