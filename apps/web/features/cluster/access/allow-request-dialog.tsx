'use client';

import { createAclsInput } from '@penstock/api/inputs';
import { Button, Dialog, DialogActions, Field, Input, Notice, Select, useToast } from '@penstock/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { FailureNotice, useTRPC } from '../../../lib/trpc';
import type { Acl } from './acl-presets';
import type { DeniedRequests } from './denied-requests-card';

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
  const trpc = useTRPC();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [acl, setAcl] = useState(initial);
  const [isIncomplete, setIsIncomplete] = useState(false);
  const create = useMutation(
    trpc.access.createAcls.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.access.listAcls.queryFilter({ clusterId }));
        toast({ title: 'ACL added', description: 'Agents apply it within seconds.' });
        onDone();
      },
    }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = createAclsInput.safeParse({ clusterId, acls: [acl] });
    setIsIncomplete(!parsed.success);
    if (parsed.success && !create.isPending) {
      create.mutate(parsed.data);
    }
  };
  const hosts = [
    { value: '*', label: 'All addresses' },
    { value: lastHost, label: `${lastHost} only` },
  ];
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <Field label="Principal">
        {(control) => (
          <Input
            {...control}
            value={acl.principal}
            onChange={(event) => setAcl({ ...acl, principal: event.target.value })}
            autoComplete="off"
          />
        )}
      </Field>
      <Field label="Operation" hint={`On ${acl.resourceType}.`}>
        {(control) => <Input {...control} value={acl.operation} readOnly className="font-mono" />}
      </Field>
      <Field label="Resource">
        {(control) => (
          <Input
            {...control}
            value={acl.resourceName}
            onChange={(event) => setAcl({ ...acl, resourceName: event.target.value })}
            autoComplete="off"
          />
        )}
      </Field>
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
      {isIncomplete ? (
        <Notice tone="danger" title="Fill in all fields">
          A principal has a type and a name, such as User:billing.
        </Notice>
      ) : null}
      {create.error === null ? null : <FailureNotice error={create.error} />}
      <DialogActions>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="primary" pending={create.isPending}>
          {create.isPending ? 'Adding…' : 'Add ACL'}
        </Button>
      </DialogActions>
    </form>
  );
}
