'use client';

import { addSsoDomainInput } from '@penstock/api/inputs';
import { Badge, Button, CodeBlock } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { Form, TextField, useForm } from '../../lib/forms';
import { DateTime } from '../../lib/time';
import { FailureNotice, type RouterOutputs, useTRPC } from '../../lib/trpc';

type Domain = RouterOutputs['sso']['get']['domains'][number];

export function DomainList({ domains, onChanged }: { domains: readonly Domain[]; onChanged: () => Promise<void> }) {
  return (
    <div className="flex flex-col gap-4">
      {domains.length === 0 ? (
        <p className="text-[0.8125rem] text-ink-3 leading-5">
          We find your provider by the domain of a person’s email address. Add your domain and verify that you own it.
        </p>
      ) : (
        <ul className="flex flex-col gap-3">
          {domains.map((domain) => (
            <DomainItem key={domain.id} domain={domain} onChanged={onChanged} />
          ))}
        </ul>
      )}
      <AddDomain onAdded={onChanged} />
    </div>
  );
}

function DomainItem({ domain, onChanged }: { domain: Domain; onChanged: () => Promise<void> }) {
  const trpc = useTRPC();
  const verify = useMutation(trpc.sso.verifyDomain.mutationOptions({ onSuccess: onChanged }));
  const remove = useMutation(trpc.sso.removeDomain.mutationOptions({ onSuccess: onChanged }));
  const error = verify.error ?? remove.error;
  const isProven = domain.verifiedAt !== null && domain.missingSince === null;
  return (
    <li className="flex min-w-0 flex-col gap-3 rounded-lg border border-line p-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="flex min-w-0 items-center gap-2 font-medium text-ink text-sm">
          <span className="truncate">{domain.domain}</span>
          {isProven ? (
            <Badge tone="ok">Verified</Badge>
          ) : (
            <Badge tone="warn">{domain.verifiedAt === null ? 'Not verified' : 'Record missing'}</Badge>
          )}
        </p>
        <div className="flex gap-2">
          {isProven ? null : (
            <Button size="sm" pending={verify.isPending} onClick={() => verify.mutate({ domainId: domain.id })}>
              {verify.isPending ? 'Checking…' : 'Check'}
            </Button>
          )}
          <Button
            size="sm"
            variant="quiet"
            pending={remove.isPending}
            onClick={() => remove.mutate({ domainId: domain.id })}
            aria-label={`Remove ${domain.domain}`}
          >
            Remove
          </Button>
        </div>
      </div>
      {isProven ? null : (
        <>
          {domain.missingSince === null ? null : (
            <p className="text-[0.8125rem] text-ink-2 leading-5">
              The record has been missing since <DateTime timeMs={domain.missingSince.getTime()} />. The domain loses
              its verification after 7 days.
            </p>
          )}
          <p className="text-[0.8125rem] text-ink-3 leading-5">
            Add a TXT record for <span className="break-all font-mono">{domain.recordName}</span>, then check it:
          </p>
          <CodeBlock code={domain.recordText} title={`TXT record for ${domain.domain}`} />
        </>
      )}
      {error === null ? null : <FailureNotice error={error} />}
    </li>
  );
}

function AddDomain({ onAdded }: { onAdded: () => Promise<void> }) {
  const trpc = useTRPC();
  const add = useMutation(trpc.sso.addDomain.mutationOptions({ onSuccess: onAdded }));
  const form = useForm({
    initial: { domain: '' },
    schema: addSsoDomainInput,
    send: async (input) => {
      await add.mutateAsync(input);
      form.reset();
    },
  });
  return (
    <Form form={form} labels={['Add domain', 'Adding…']}>
      <TextField
        form={form}
        name="domain"
        label="Domain"
        placeholder="example.com"
        autoCapitalize="off"
        spellCheck={false}
      />
    </Form>
  );
}
