'use client';

import { Field, Input } from '@penstock/ui';
import type { LimitTexts } from './key-limits';

interface KeyLimitsFieldsProps {
  texts: LimitTexts;
  onChange: (texts: LimitTexts) => void;
  faults: Readonly<Record<string, string | undefined>>;
  /** When the key expires now; shown while its lifetime is not changed. */
  expiryHint: string;
}

/** Optional limits, so that a leaked key is of little use. */
export function KeyLimitsFields({ texts, onChange, faults, expiryHint }: KeyLimitsFieldsProps) {
  return (
    <>
      <Field label="Expires after (days)" error={faults['lifetimeDays']} hint={expiryHint}>
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            value={texts.lifetimeDays}
            onChange={(event) => onChange({ ...texts, lifetimeDays: event.target.value })}
            autoComplete="off"
            className="nums max-w-32"
          />
        )}
      </Field>
      <Field
        label="Networks"
        error={faults['networks']}
        hint="IP addresses or CIDR ranges that the key may be used from. Leave empty for any."
      >
        {(control) => (
          <Input
            {...control}
            value={texts.networks}
            onChange={(event) => onChange({ ...texts, networks: event.target.value })}
            placeholder="203.0.113.0/24"
            autoComplete="off"
            className="font-mono"
          />
        )}
      </Field>
      <Field
        label="Addresses"
        error={faults['addresses']}
        hint="Hosts that agents with this key may advertise: names, suffixes, CIDR ranges. Leave empty to let the cluster decide."
      >
        {(control) => (
          <Input
            {...control}
            value={texts.addresses}
            onChange={(event) => onChange({ ...texts, addresses: event.target.value })}
            placeholder="*.agents.internal, 10.0.0.0/8"
            autoComplete="off"
            className="font-mono"
          />
        )}
      </Field>
    </>
  );
}
