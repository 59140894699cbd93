'use client';

import { Field, Select } from '@penstock/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LiveSummary } from '../../../lib/live';
import { useTRPC } from '../../../lib/trpc';
import { type ClientConnection, ClientSnippetsPanel, type SaslMechanism, saslMechanisms } from '../../connect';

type Listener = LiveSummary['listeners'][number];

/** The listener features that a snippet can use. An agent without named listeners offers SCRAM without TLS. */
const UNNAMED: Pick<Listener, 'isTls' | 'saslMechanisms'> = {
  isTls: false,
  saslMechanisms: ['SCRAM-SHA-512', 'SCRAM-SHA-256'],
};
/** Values of the list of users. A user can have any name, so names have a prefix. */
const ANONYMOUS = 'anonymous';
const optionOf = (user: string): string => `user ${user}`;

interface ClientConnectionPanelProps {
  clusterId: string;
  /** The address of an agent without named listeners. */
  bootstrap: string;
  listeners: readonly Listener[];
}

/** Snippets for one listener, mechanism and user, which the reader chooses. */
export function ClientConnectionPanel({ clusterId, bootstrap, listeners }: ClientConnectionPanelProps) {
  const trpc = useTRPC();
  const users = useQuery(trpc.access.listUsers.queryOptions({ clusterId }));
  const names = (users.data ?? []).map(({ user }) => user);
  const [listenerName, setListenerName] = useState<string | null>(null);
  const [chosenOption, setOption] = useState<string | null>(null);
  const [chosenMechanism, setMechanism] = useState<SaslMechanism | null>(null);

  const listener = listeners.find(({ name }) => name === listenerName) ?? listeners[0];
  const { isTls, saslMechanisms: offered } = listener ?? UNNAMED;
  const options = [...names.map(optionOf), ANONYMOUS];
  const option = options.find((known) => known === chosenOption) ?? options[0] ?? ANONYMOUS;
  const user = users.data?.find((known) => optionOf(known.user) === option);
  const mechanisms = usableMechanisms(offered, user?.credentials ?? []);
  const mechanism = mechanisms.find((usable) => usable === chosenMechanism) ?? mechanisms[0];
  const connection: ClientConnection = {
    bootstrap: listener === undefined ? bootstrap : `${listener.host}:${listener.port}`,
    isTls,
    signIn: user === undefined || mechanism === undefined ? null : { user: user.user, mechanism },
  };
  return (
    <div className="flex flex-col gap-4">
      {listeners.length === 0 && names.length === 0 ? null : (
        <div className="grid max-w-3xl gap-4 sm:grid-cols-3">
          {listener === undefined ? null : (
            <Field label="Listener">
              {(control) => (
                <Select
                  {...control}
                  value={listener.name}
                  options={listeners.map(({ name, isTls: hasTls }) => ({
                    value: name,
                    label: hasTls ? `${name} (TLS)` : name,
                  }))}
                  onValueChange={setListenerName}
                />
              )}
            </Field>
          )}
          <Field label="User">
            {(control) => (
              <Select
                {...control}
                value={option}
                options={[
                  ...names.map((name) => ({ value: optionOf(name), label: name })),
                  { value: ANONYMOUS, label: 'Without signing in' },
                ]}
                onValueChange={setOption}
              />
            )}
          </Field>
          {connection.signIn === null ? null : (
            <Field label="Mechanism">
              {(control) => (
                <Select
                  {...control}
                  value={connection.signIn?.mechanism ?? ''}
                  options={mechanisms.map((usable) => ({ value: usable, label: usable }))}
                  onValueChange={(chosen) => setMechanism(saslMechanisms.find((known) => known === chosen) ?? null)}
                />
              )}
            </Field>
          )}
        </div>
      )}
      <ClientSnippetsPanel connection={connection} />
    </div>
  );
}

/** Mechanisms that the listener offers and the user has a credential for. PLAIN works with either credential. */
function usableMechanisms(
  offered: readonly string[],
  credentials: readonly { mechanism: SaslMechanism }[],
): SaslMechanism[] {
  return saslMechanisms.filter(
    (mechanism) =>
      offered.includes(mechanism) &&
      (mechanism === 'PLAIN' || credentials.some((credential) => credential.mechanism === mechanism)),
  );
}
