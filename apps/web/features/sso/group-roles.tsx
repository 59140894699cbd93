'use client';

import { type ProvisionedRole, provisionedRoles } from '@penstock/identity/inputs';
import { Button, Field, Input, Select, Switch } from '@penstock/ui';
import { useId } from 'react';
import { roleOptions } from '../../lib/roles';
import { provisionedRole } from './provisioned-role';

export interface GroupRole {
  group: string;
  role: ProvisionedRole;
}

export interface GroupRoles {
  groupsClaim: string;
  groupRoles: readonly GroupRole[];
  isGroupRequired: boolean;
}

interface GroupRolesFieldsProps {
  value: GroupRoles;
  onChange: (value: GroupRoles) => void;
  faultOf: (field: string) => string | undefined;
}

/** Which role the members of a group get. The order matters: the first group that a person is in decides. */
export function GroupRolesFields({ value, onChange, faultOf }: GroupRolesFieldsProps) {
  const requiredId = useId();
  const { groupsClaim, groupRoles, isGroupRequired } = value;
  const setRule = (at: number, change: Partial<GroupRole>) =>
    onChange({ ...value, groupRoles: groupRoles.map((rule, place) => (place === at ? { ...rule, ...change } : rule)) });
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-1 font-medium text-ink text-sm">Roles by groups</legend>
      <p className="text-[0.8125rem] text-ink-3 leading-5">
        At each sign-in, the first group in this list that a person is in decides their role. Owners keep theirs.
        Without groups, you assign roles on the Members page.
      </p>
      {groupRoles.map(({ group, role }, at) => (
        <div key={at} className="grid items-end gap-3 sm:grid-cols-[1fr_10rem_auto]">
          <Field label={`Group ${at + 1}`}>
            {(control) => (
              <Input
                {...control}
                value={group}
                onChange={(event) => setRule(at, { group: event.target.value })}
                placeholder="Name, or object ID in Entra ID"
                autoComplete="off"
                spellCheck={false}
              />
            )}
          </Field>
          <Field label="Role">
            {(control) => (
              <Select
                {...control}
                value={role}
                options={roleOptions(provisionedRoles)}
                onValueChange={(text) => setRule(at, { role: provisionedRole(text) })}
              />
            )}
          </Field>
          <Button
            variant="quiet"
            aria-label={`Remove group ${at + 1}`}
            onClick={() => onChange({ ...value, groupRoles: groupRoles.filter((_rule, place) => place !== at) })}
          >
            Remove
          </Button>
        </div>
      ))}
      {faultOf('groupRoles') === undefined ? null : (
        <p className="text-[0.8125rem] text-danger-ink leading-5">{faultOf('groupRoles')}</p>
      )}
      <div>
        <Button
          size="sm"
          onClick={() => onChange({ ...value, groupRoles: [...groupRoles, { group: '', role: 'viewer' }] })}
        >
          Add group
        </Button>
      </div>
      {groupRoles.length === 0 ? null : (
        <>
          <Field
            label="Groups claim"
            error={faultOf('groupsClaim')}
            hint="The claim in which your provider lists a person’s groups."
          >
            {(control) => (
              <Input
                {...control}
                value={groupsClaim}
                onChange={(event) => onChange({ ...value, groupsClaim: event.target.value })}
                autoComplete="off"
                spellCheck={false}
              />
            )}
          </Field>
          <div className="flex items-start gap-3">
            <Switch
              checked={isGroupRequired}
              onCheckedChange={(checked) => onChange({ ...value, isGroupRequired: checked })}
              aria-labelledby={`${requiredId}-label`}
              aria-describedby={`${requiredId}-hint`}
            />
            <div>
              <p id={`${requiredId}-label`} className="font-medium text-ink text-sm">
                Refuse people who are in none of these groups
              </p>
              <p id={`${requiredId}-hint`} className="mt-0.5 text-[0.8125rem] text-ink-3 leading-5">
                Otherwise, they get the role for new members.
              </p>
            </div>
          </div>
        </>
      )}
    </fieldset>
  );
}
