'use client';

import { Dialog, Field, Input, Select } from '@penstock/ui';
import { useState } from 'react';
import { AclForm, NameField } from './acl-form';
import type { Acl } from './acl-presets';
import type { DeniedRequests } from './denied-requests.types';

const PATTERNS = [
  { value: 'LITERAL', label: 'This name' },
  { value: 'PREFIXED', label: 'All names that start with it' },
] as const;

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
      onOpenChange={(open) => (open ? undefined : onClose())}
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
  const [acl, setAcl] = useState(initial);
  const hosts = [
    { value: '*', label: 'All addresses' },
    { value: lastHost, label: `${lastHost} only` },
  ];
  return (
    <AclForm
      clusterId={clusterId}
      acls={[acl]}
      submitLabel="Add ACL"
      requirement="A principal has a type and a name, such as User:billing."
      onDone={onDone}
    >
      <NameField label="Principal" value={acl.principal} onChange={(principal) => setAcl({ ...acl, principal })} />
      <Field label="Operation" hint={`On ${acl.resourceType}.`}>
        {(control) => <Input {...control} value={acl.operation} readOnly className="font-mono" />}
      </Field>
      <NameField
        label="Resource"
        value={acl.resourceName}
        onChange={(resourceName) => setAcl({ ...acl, resourceName })}
      />
      {acl.resourceType === 'CLUSTER' ? null : (
        <Field label="Applies to">
          {(control) => (
            <Select
              {...control}
              value={acl.patternType}
              options={PATTERNS}
              onValueChange={(chosen) =>
                setAcl({ ...acl, patternType: chosen === 'PREFIXED' ? 'PREFIXED' : 'LITERAL' })
              }
            />
          )}
        </Field>
      )}
      <Field label="Clients" hint={`The last denied request came from ${lastHost}.`}>
        {(control) => (
          <Select {...control} value={acl.host} options={hosts} onValueChange={(host) => setAcl({ ...acl, host })} />
        )}
      </Field>
    </AclForm>
  );
}
