'use client';

import { type FormOf, NumberField, SelectField, TextField } from '../../../lib/forms';
import { type LimitTexts, scopeOptions } from './key-limits';

/** The values of an agent key’s form. */
export interface KeyValues extends LimitTexts {
  name: string;
  /** A scope; that of a later release stays as it is. */
  scope: string;
}

interface KeyFieldsProps {
  form: FormOf<KeyValues>;
  nameHint?: string;
  /** The scope that the key has; null for a new key. */
  current: string | null;
  /** When the key expires now; shown while its lifetime is not changed. */
  expiryHint: string;
}

/** The fields of an agent key: its name, what it may do, and optional limits, so that a leaked key is of little use. */
export function KeyFields({ form, nameHint, current, expiryHint }: KeyFieldsProps) {
  const scopes = scopeOptions(current);
  return (
    <>
      <TextField form={form} name="name" label="Name" hint={nameHint} />
      {scopes.length === 0 ? null : <SelectField form={form} name="scope" label="Scope" options={scopes} />}
      <NumberField form={form} name="lifetimeDays" label="Expires after" unit="days" hint={expiryHint} />
      <TextField
        form={form}
        name="networks"
        label="Networks"
        hint="IP addresses or CIDR ranges that the key may be used from. Leave empty for any."
        placeholder="203.0.113.0/24"
        className="font-mono"
      />
      <TextField
        form={form}
        name="addresses"
        label="Addresses"
        hint="Hosts that agents with this key may advertise: names, suffixes, CIDR ranges. Leave empty to let the cluster decide."
        placeholder="*.agents.internal, 10.0.0.0/8"
        className="font-mono"
      />
    </>
  );
}
