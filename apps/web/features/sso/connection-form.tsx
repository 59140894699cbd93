'use client';

import { updateSsoInput } from '@penstock/api/inputs';
import { type ProvisionedRole, provisionedRoles } from '@penstock/identity/inputs';
import { useToast } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { Form, SelectField, SwitchField, TextField, useForm, useWatch } from '../../lib/forms';
import { roleOptions } from '../../lib/roles';
import { useTRPC } from '../../lib/trpc';
import type { GroupRoles, ConnectionValues as Values } from './connection-values';
import { GroupRolesFields } from './group-roles';
import { SamlField, samlSettings } from './saml-field';

type Protocol = 'oidc' | 'saml';

interface Connection extends GroupRoles {
  protocol: Protocol;
  issuer: string;
  clientId: string;
  defaultRole: ProvisionedRole;
  isRequired: boolean;
  test: { isPassed: boolean } | null;
}

const NO_GROUPS: GroupRoles = { groupsClaim: 'groups', groupRoles: [], isGroupRequired: false };

interface ConnectionFormProps {
  connection: Connection | null;
  protocol: Protocol;
  onSaved: () => Promise<void>;
}

export function ConnectionForm({ connection, protocol, onSaved }: ConnectionFormProps) {
  const isSaml = protocol === 'saml';
  const stored = connection?.protocol === protocol ? connection : null;
  const trpc = useTRPC();
  const toast = useToast();
  const update = useMutation(
    trpc.sso.update.mutationOptions({
      onSuccess: async () => {
        toast({ title: 'Single sign-on settings saved' });
        await onSaved();
      },
    }),
  );
  const initial: Values = {
    issuer: stored?.issuer ?? '',
    clientId: stored?.clientId ?? '',
    clientSecret: '',
    samlMetadata: '',
    defaultRole: connection?.defaultRole ?? 'viewer',
    isRequired: connection?.isRequired ?? false,
    groups: connection ?? NO_GROUPS,
  };
  const form = useForm({
    initial,
    schema: updateSsoInput,
    toInput: ({ issuer, clientId, clientSecret, samlMetadata, defaultRole, isRequired, groups }) => {
      const { groupsClaim, groupRoles, isGroupRequired } = groups;
      const keepsSecret = stored !== null && clientSecret === '';
      const typed = isSaml
        ? samlSettings(samlMetadata, stored !== null)
        : { issuer, clientId, clientSecret: keepsSecret ? null : clientSecret };
      return { protocol, ...typed, defaultRole, isRequired, groupsClaim, groupRoles, isGroupRequired };
    },
    fieldOf: (path) => {
      if (path === 'samlMetadataUrl') {
        return 'samlMetadata';
      }
      const [, at] = /^groupRoles\.(\d+)\.group$/.exec(path) ?? [];
      if (at !== undefined) {
        return `groups.groupRoles.${Number(at)}.group`;
      }
      return path === 'groupRoles' || path === 'groupsClaim' ? `groups.${path}` : undefined;
    },
    send: update.mutateAsync,
  });
  const isRequired = useWatch({ control: form.control, name: 'isRequired' });
  return (
    <Form form={form} labels={['Save', 'Saving…']} variant="primary">
      {isSaml ? (
        <SamlField form={form} isStored={stored !== null} />
      ) : (
        <>
          <TextField
            form={form}
            name="issuer"
            label="Issuer"
            hint="Enter it exactly as your provider shows it, without /.well-known/…."
            type="url"
            placeholder="https://login.example.com"
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField form={form} name="clientId" label="Client ID" />
            <TextField
              form={form}
              name="clientSecret"
              label="Client secret"
              hint={
                stored === null ? 'Stored encrypted and never shown again.' : 'Leave empty to keep the current secret.'
              }
              type="password"
              autoComplete="new-password"
            />
          </div>
        </>
      )}
      <SelectField
        form={form}
        name="defaultRole"
        label="Role for new members"
        options={roleOptions(provisionedRoles)}
      />
      <GroupRolesFields form={form} />
      <SwitchField
        form={form}
        name="isRequired"
        label="Require single sign-on for members in verified domains"
        hint="They can no longer open this organization with a password or passkey. Owners with two-factor sign-in can use any sign-in method. To turn this on, save your settings and test the connection first."
        // A connection that doesn’t work would lock members out.
        isDisabled={!isRequired && stored?.test?.isPassed !== true}
      />
    </Form>
  );
}
