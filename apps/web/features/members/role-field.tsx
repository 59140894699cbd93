'use client';

import type { Role } from '@penstock/tenancy/permissions';
import { Field, Select } from '@penstock/ui';
import { ROLE_TEXTS, roleOptions } from '../../lib/roles';

/** A select of the roles that the user may give, with the description of the chosen one. */
export function RoleField({
  value,
  choices,
  onChange,
  error,
}: {
  value: Role;
  choices: readonly Role[];
  onChange: (role: Role) => void;
  error?: string | undefined;
}) {
  return (
    <Field label="Role" hint={ROLE_TEXTS[value].meaning} error={error}>
      {(control) => (
        <Select
          {...control}
          value={value}
          options={roleOptions(choices)}
          onValueChange={(text) => {
            const role = choices.find((choice) => choice === text);
            if (role !== undefined) {
              onChange(role);
            }
          }}
        />
      )}
    </Field>
  );
}
