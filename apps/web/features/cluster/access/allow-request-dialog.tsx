'use client';

import { createAclsInput } from '@penstock/api/inputs';
import { Dialog } from '@penstock/ui';
import { Form, SelectField, TextField, useForm } from '../../../lib/forms';
import type { Acl } from './acl-presets';
import type { DeniedRequests } from './denied-requests.types';
import { useCreateAcls } from './use-create-acls';

const PATTERNS = [
  { value: 'LITERAL', label: 'This name' },
  { value: 'PREFIXED', label: 'All names that start with it' },
] as const;

const FIELDS = ['principal', 'resourceName', 'patternType', 'host'] as const;

interface AllowRequestDialogProps {
  clusterId: string;
  /** Null closes the dialog. */
  denied: DeniedRequests | null;
  onClose: () => void;
}

/** Edits and adds the ACL that allows a denied request. */
export function AllowRequestDialog({ clusterId, denied, onClose }: AllowRequestDialogProps) {
  const acl = denied?.allowingAcl ?? null;
  return (
    <Dialog
      open={acl !== null}
      onClose={onClose}
      title="Allow these requests"
      description="This is the narrowest ACL that allows them. Change it if the client needs more."
    >
      {acl === null || denied === null ? null : (
        <AllowRequestForm clusterId={clusterId} initial={acl} lastHost={denied.host} onDone={onClose} />
      )}
    </Dialog>
  );
}

interface AllowRequestFormProps {
  clusterId: string;
  initial: Acl;
  /** Address of the client that was denied last. */
  lastHost: string;
  onDone: () => void;
}

function AllowRequestForm({ clusterId, initial, lastHost, onDone }: AllowRequestFormProps) {
  const create = useCreateAcls(clusterId, onDone);
  const form = useForm({
    initial,
    schema: createAclsInput,
    toInput: (acl) => ({ clusterId, acls: [acl] }),
    fieldOf: (path) => FIELDS.find((name) => path === `acls.0.${name}`),
    send: create.mutateAsync,
  });
  const hosts = [
    { value: '*', label: 'All addresses' },
    { value: lastHost, label: `${lastHost} only` },
  ];
  return (
    <Form form={form} labels={['Add ACL', 'Adding…']} onCancel={onDone}>
      <TextField form={form} name="principal" label="Principal" />
      <TextField
        form={form}
        name="operation"
        label="Operation"
        hint={`On ${initial.resourceType}.`}
        readOnly
        className="font-mono"
      />
      <TextField form={form} name="resourceName" label="Resource" />
      {initial.resourceType === 'CLUSTER' ? null : (
        <SelectField form={form} name="patternType" label="Applies to" options={PATTERNS} />
      )}
      <SelectField
        form={form}
        name="host"
        label="Clients"
        hint={`The last denied request came from ${lastHost}.`}
        options={hosts}
      />
    </Form>
  );
}
