'use client';

import { Button, Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator, useToast } from '@penstock/ui';
import { useMutation } from '@tanstack/react-query';
import { ChevronsUpDown, Plus } from 'lucide-react';
import Link from 'next/link';
import { useSession } from '../../lib/session';
import { failureText, toFailure, useTRPC } from '../../lib/trpc';

/** Shows the active organization and switches to another. */
export function OrganizationSwitcher() {
  const { organization, organizations } = useSession();
  const trpc = useTRPC();
  const toast = useToast();
  const setActive = useMutation(
    trpc.organization.setActive.mutationOptions({
      // A full load: no data of the other organization stays in memory.
      onSuccess: () => window.location.assign('/app'),
      onError: (error) =>
        toast({
          title: 'Couldn’t switch organization',
          description: failureText(toFailure(error)),
          tone: 'danger',
        }),
    }),
  );
  if (organization === null) {
    return null;
  }
  return (
    <Menu
      align="start"
      trigger={
        <Button variant="quiet" size="sm" className="min-w-0 max-w-[55vw] px-2 text-ink">
          <span className="truncate">{organization.organizationName}</span>
          <span className="sr-only">: switch organization</span>
          <ChevronsUpDown aria-hidden className="text-ink-3" />
        </Button>
      }
    >
      <MenuLabel>Organizations</MenuLabel>
      <MenuChoice
        value={organization.organizationId}
        options={organizations.map((other) => ({ value: other.organizationId, label: other.organizationName }))}
        onChange={(organizationId) => {
          if (organizationId !== organization.organizationId) {
            setActive.mutate({ organizationId });
          }
        }}
      />
      <MenuSeparator />
      <MenuItem asChild>
        <Link href="/app/new-organization">
          <Plus aria-hidden />
          Create organization
        </Link>
      </MenuItem>
    </Menu>
  );
}
