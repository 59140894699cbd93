'use client';

import { type ClusterRoleEntry, clusterRoleNames } from '@penstock/tenancy/cluster-roles';
import { Field, Select } from '@penstock/ui';
import { useQuery } from '@tanstack/react-query';
import { ROLE_TEXTS } from './roles';
import { useTRPC } from './trpc';

// A select can't hold an empty value.
const NO_ROLE = 'none';

const OPTIONS = [
  { value: NO_ROLE, label: 'No additional role' },
  ...clusterRoleNames.toReversed().map((role) => ({ value: role, label: ROLE_TEXTS[role].label })),
];
/** A role for each cluster, on top of the role for the organization. Shows nothing while there are no clusters. */
export function ClusterRolesField({
  value,
  onChange,
}: {
  value: readonly ClusterRoleEntry[];
  onChange: (entries: ClusterRoleEntry[]) => void;
}) {
  const trpc = useTRPC();
  const clusters = useQuery(trpc.cluster.list.queryOptions());
  if (clusters.data === undefined || clusters.data.length === 0) {
    return null;
  }
  const set = (clusterId: string, text: string) => {
    const role = clusterRoleNames.find((name) => name === text);
    const others = value.filter((entry) => entry.clusterId !== clusterId);
    onChange(role === undefined ? others : [...others, { clusterId, role }]);
  };
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="font-medium text-ink text-sm">Roles for single clusters</legend>
      <p className="text-ink-3 text-xs">They add to the role above, on that cluster only.</p>
      <div className="grid max-h-64 gap-3 overflow-y-auto sm:grid-cols-2">
        {clusters.data.map(({ id, name }) => (
          <Field key={id} label={name}>
            {(control) => (
              <Select
                {...control}
                value={value.find((entry) => entry.clusterId === id)?.role ?? NO_ROLE}
                options={OPTIONS}
                onValueChange={(text) => set(id, text)}
              />
            )}
          </Field>
        ))}
      </div>
    </fieldset>
  );
}
