'use client';

import { provisionedRoles } from '@penstock/identity/inputs';
import { Button } from '@penstock/ui';
import { Controller, type FormOf, SelectField, SwitchField, TextField } from '../../lib/forms';
import { roleOptions } from '../../lib/roles';
import type { ConnectionValues } from './connection-values';

const ROLES = roleOptions(provisionedRoles).map(({ value, label }) => ({ value, label }));

/** Which role the members of a group get. The order matters: the first group that a person is in decides. */
export function GroupRolesFields({ form }: { form: FormOf<ConnectionValues> }) {
  // With what was typed into the rows since the list was last drawn.
  const rulesNow = () => form.getValues('groups.groupRoles');
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-1 font-medium text-ink text-sm">Roles by groups</legend>
      <p className="text-[0.8125rem] text-ink-3 leading-5">
        At each sign-in, the first group in this list that a person is in decides their role. Owners keep theirs.
        Without groups, you assign roles on the Members page.
      </p>
      <Controller
        control={form.control}
        name="groups.groupRoles"
        render={({ field: { value: rules, onChange }, fieldState: { error } }) => (
          <>
            {rules.map((_rule, at) => (
              <div key={at} className="grid items-end gap-3 sm:grid-cols-[1fr_10rem_auto]">
                <TextField
                  form={form}
                  name={`groups.groupRoles.${at}.group`}
                  label={`Group ${at + 1}`}
                  placeholder="Name, or object ID in Entra ID"
                  spellCheck={false}
                />
                <SelectField form={form} name={`groups.groupRoles.${at}.role`} label="Role" options={ROLES} />
                <Button
                  variant="quiet"
                  aria-label={`Remove group ${at + 1}`}
                  onClick={() => onChange(rulesNow().filter((_other, place) => place !== at))}
                >
                  Remove
                </Button>
              </div>
            ))}
            {error?.message === undefined ? null : (
              <p className="text-[0.8125rem] text-danger-ink leading-5">{error.message}</p>
            )}
            <div>
              <Button size="sm" onClick={() => onChange([...rulesNow(), { group: '', role: 'viewer' }])}>
                Add group
              </Button>
            </div>
            {rules.length === 0 ? null : (
              <>
                <TextField
                  form={form}
                  name="groups.groupsClaim"
                  label="Groups claim"
                  hint="The claim in which your provider lists a person’s groups."
                  spellCheck={false}
                />
                <SwitchField
                  form={form}
                  name="groups.isGroupRequired"
                  label="Refuse people who are in none of these groups"
                  hint="Otherwise, they get the role for new members."
                />
              </>
            )}
          </>
        )}
      />
    </fieldset>
  );
}
