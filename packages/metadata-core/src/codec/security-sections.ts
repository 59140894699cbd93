// Snapshot format of users, ACLs, quotas and the settings of access control. A cluster in which none was ever set has no such
// section.

import type { ByteReader } from '../bytes/byte-reader.ts';
import { CorruptDataError } from '../model/corrupt-data-error.ts';
import {
  addAcl,
  type ClientQuota,
  credentialKey,
  QUOTA_KEYS,
  type QuotaKey,
  quotaKey,
  type ScramCredential,
  type Security,
  type SecuritySettings,
} from '../model/security.ts';
import type { SecurityDescription } from '../queries/security.ts';
import { type Field, float, map, nullable, oneOf, record, text, unsigned } from './field.ts';
import type { Item } from './section.ts';
import { aclBindingCodec, securitySettingsCodec, verifierFields } from './security-commands.ts';

/** The first byte of an item, which identifies its content. */
const ITEM = { head: 1, credential: 2, acl: 3, quota: 4 } as const;

const headCodec: Field<{ version: number; settings: SecuritySettings }> = record({
  version: unsigned,
  settings: securitySettingsCodec,
});

const credentialCodec: Field<ScramCredential> = record({ ...verifierFields, createdAtMs: unsigned });

const quotaCodec: Field<ClientQuota> = record({
  user: nullable(text),
  clientId: nullable(text),
  values: map(oneOf(QUOTA_KEYS), float) as Field<ReadonlyMap<QuotaKey, number>>,
});

export function* securityItems(security: SecurityDescription): Iterable<Item> {
  if (security.version === 0) {
    return;
  }
  yield item(ITEM.head, headCodec, security);
  for (const credential of security.credentials) {
    yield item(ITEM.credential, credentialCodec, credential);
  }
  for (const acl of security.acls) {
    yield item(ITEM.acl, aclBindingCodec, acl);
  }
  for (const quota of security.quotas) {
    yield item(ITEM.quota, quotaCodec, quota);
  }
}

function item<T>(kind: number, codec: Field<T>, value: T): Item {
  return (to) => {
    to.byte(kind);
    codec.write(to, value);
  };
}

/** Adds the next item. */
export function readSecurity(from: ByteReader, security: Security): void {
  const kind = from.byte();
  switch (kind) {
    case ITEM.head:
      Object.assign(security, headCodec.read(from));
      break;
    case ITEM.credential: {
      const credential = credentialCodec.read(from);
      security.credentials.set(credentialKey(credential), credential);
      break;
    }
    case ITEM.acl:
      addAcl(security, aclBindingCodec.read(from));
      break;
    case ITEM.quota: {
      const quota = quotaCodec.read(from);
      security.quotas.set(quotaKey(quota), quota);
      break;
    }
    default:
      throw new CorruptDataError(`snapshot: no item of the security section has the kind ${kind}`);
  }
}
