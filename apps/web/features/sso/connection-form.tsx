'use client';

import { updateSsoInput } from '@penstock/api/inputs';
import { type ProvisionedRole, provisionedRoles } from '@penstock/identity/inputs';
import { Button, Field, Input, Select, Switch, useToast } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { firstFaults } from '../../lib/forms';
import { ROLE_TEXTS, roleOptions } from '../../lib/roles';
import { FailureNotice, failureText, toFailure, useTRPC } from '../../lib/trpc';
import { type GroupRoles, GroupRolesFields } from './group-roles';
import { provisionedRole } from './provisioned-role';
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
  const requiredId = useId();
  const [issuer, setIssuer] = useState(stored?.issuer ?? '');
  const [clientId, setClientId] = useState(stored?.clientId ?? '');
  const [clientSecret, setClientSecret] = useState('');
  const [metadata, setMetadata] = useState('');
  const [defaultRole, setDefaultRole] = useState<ProvisionedRole>(connection?.defaultRole ?? 'viewer');
  const [isRequired, setIsRequired] = useState(connection?.isRequired ?? false);
  const [groups, setGroups] = useState<GroupRoles>(connection ?? NO_GROUPS);
  const [faults, setFaults] = useState<Record<string, string>>({});
  const update = useMutation(
    trpc.sso.update.mutationOptions({
      onSuccess: async () => {
        toast({ title: 'Single sign-on settings saved' });
        await onSaved();
      },
    }),
  );
  const oidcSettings = () => {
    const keepsSecret = stored !== null && clientSecret === '';
    return { issuer, clientId, clientSecret: keepsSecret ? null : clientSecret };
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const { groupsClaim, groupRoles, isGroupRequired } = groups;
    const rules = { defaultRole, isRequired, groupsClaim, groupRoles, isGroupRequired };
    const typed = isSaml ? samlSettings(metadata, stored !== null) : oidcSettings();
    const parsed = updateSsoInput.safeParse({ protocol, ...typed, ...rules });
    setFaults(parsed.success ? {} : firstFaults(parsed.error));
    if (parsed.success && !update.isPending) {
      update.mutate(parsed.data);
    }
  };
  const failure = update.error === null ? null : toFailure(update.error);
  const faultOf = (field: string) => faults[field] ?? (failure?.field === field ? failureText(failure) : undefined);
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      {isSaml ? (
        <SamlField
          value={metadata}
          onChange={setMetadata}
          isStored={stored !== null}
          error={faultOf('samlMetadata') ?? faultOf('samlMetadataUrl')}
        />
      ) : (
        <>
          <Field
            label="Issuer"
            error={faultOf('issuer')}
            hint="Enter it exactly as your provider shows it, without /.well-known/…."
          >
            {(control) => (
              <Input
                {...control}
                type="url"
                value={issuer}
                onChange={(event) => setIssuer(event.target.value)}
                placeholder="https://login.example.com"
                autoComplete="off"
              />
            )}
          </Field>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Client ID" error={faultOf('clientId')}>
              {(control) => (
                <Input
                  {...control}
                  value={clientId}
                  onChange={(event) => setClientId(event.target.value)}
                  autoComplete="off"
                />
              )}
            </Field>
            <Field
              label="Client secret"
              error={faultOf('clientSecret')}
              hint={
                stored === null ? 'Stored encrypted and never shown again.' : 'Leave empty to keep the current secret.'
              }
            >
              {(control) => (
                <Input
                  {...control}
                  type="password"
                  value={clientSecret}
                  onChange={(event) => setClientSecret(event.target.value)}
                  autoComplete="new-password"
                />
              )}
            </Field>
          </div>
        </>
      )}
      <Field label="Role for new members" hint={ROLE_TEXTS[defaultRole].meaning}>
        {(control) => (
          <Select
            {...control}
            value={defaultRole}
            options={roleOptions(provisionedRoles)}
            onValueChange={(text) => setDefaultRole(provisionedRole(text))}
          />
        )}
      </Field>
      <GroupRolesFields value={groups} onChange={setGroups} faultOf={faultOf} />
      <div className="flex items-start gap-3">
        <Switch
          // A connection that doesn’t work would lock members out.
          disabled={!isRequired && stored?.test?.isPassed !== true}
          checked={isRequired}
          onCheckedChange={setIsRequired}
          aria-labelledby={`${requiredId}-label`}
          aria-describedby={`${requiredId}-hint`}
        />
        <div>
          <p id={`${requiredId}-label`} className="font-medium text-ink text-sm">
            Require single sign-on for members in verified domains
          </p>
          <p id={`${requiredId}-hint`} className="mt-0.5 text-[0.8125rem] text-ink-3 leading-5">
            They can no longer open this organization with a password or passkey. Owners with two-factor sign-in can use
            any sign-in method. To turn this on, save your settings and test the connection first.
          </p>
        </div>
      </div>
      {failure === null || failure.field !== undefined ? null : <FailureNotice error={update.error} />}
      <div>
        <Button type="submit" variant="primary" pending={update.isPending}>
          {update.isPending ? 'Saving…' : 'Save'}
        </Button>
      </div>
    </form>
  );
}
