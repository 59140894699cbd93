'use client';

import { type AgentKeyScope, agentKeyScopeOf } from '@penstock/platform/agent-key-scope';
import { Field, Select } from '@penstock/ui';
import { scopeHint, scopeOptions } from './key-limits';

interface KeyScopeFieldProps {
  /** The scope that the key has; null for a new key. */
  current: string | null;
  scope: AgentKeyScope;
  onChange: (scope: AgentKeyScope) => void;
}

/** What the key may do. A key that exists can only be narrowed. */
export function KeyScopeField({ current, scope, onChange }: KeyScopeFieldProps) {
  const narrowing = current === 'agent' ? ' You can’t widen a narrowed scope again.' : '';
  return (
    <Field label="Scope" hint={`${scopeHint(scope)}${narrowing}`}>
      {(control) => (
        <Select
          {...control}
          value={scope}
          options={scopeOptions(current)}
          onValueChange={(value) => onChange(agentKeyScopeOf(value) ?? scope)}
        />
      )}
    </Field>
  );
}
