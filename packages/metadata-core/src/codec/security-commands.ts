// Journal format of the commands about users, ACLs, quotas and the settings of access control.

import { ACL_MODES, type AclBinding, AUTHENTICATION_REQUIREMENTS, type SecuritySettings } from '../model/security.ts';
import type {
  AclFilter,
  AlterClientQuotas,
  AlterUserScramCredentials,
  CreateAcls,
  DeleteAcls,
  QuotaAlteration,
  QuotaOp,
  UpdateSecuritySettings,
} from '../model/security.types.ts';
import { boolean, bytes, type Field, float, list, nullable, oneOf, record, signed, text, unsigned } from './field.ts';

type Body<C> = Field<Omit<C, 'kind'>>;

export const securitySettingsCodec: Field<SecuritySettings> = record({
  superUsers: list(text) as Field<readonly string[]>,
  allowEveryoneIfNoAclFound: boolean,
  aclMode: oneOf(ACL_MODES),
  authentication: oneOf(AUTHENTICATION_REQUIREMENTS),
});

/** Signed where a caller could send a negative number, which is refused but may be in a command whose other parts are accepted. */
export const verifierFields = {
  user: text,
  mechanism: signed,
  salt: bytes,
  storedKey: bytes,
  serverKey: bytes,
  iterations: unsigned,
  expiresAtMs: signed,
};

export const aclBindingCodec: Field<AclBinding> = record({
  resourceType: unsigned,
  resourceName: text,
  patternType: unsigned,
  principal: text,
  host: text,
  operation: unsigned,
  permissionType: unsigned,
});

export const alterUserScramCredentialsCodec: Body<AlterUserScramCredentials> = record({
  upserts: list(record<AlterUserScramCredentials['upserts'][number]>(verifierFields)),
  deletions: list(record({ user: text, mechanism: signed })),
});

export const createAclsCodec: Body<CreateAcls> = record({ bindings: list(aclBindingCodec) });

export const deleteAclsCodec: Body<DeleteAcls> = record({
  filters: list(
    record<AclFilter>({
      resourceType: unsigned,
      resourceName: nullable(text),
      patternType: unsigned,
      principal: nullable(text),
      host: nullable(text),
      operation: unsigned,
      permissionType: unsigned,
    }),
  ),
});

export const quotaOpCodec: Field<QuotaOp> = record({ key: text, value: nullable(float) });

export const alterClientQuotasCodec: Body<AlterClientQuotas> = record({
  alterations: list(
    record<QuotaAlteration>({
      user: nullable(text),
      clientId: nullable(text),
      ops: list(quotaOpCodec),
    }),
  ),
  validateOnly: boolean,
});

export const updateSecuritySettingsCodec: Body<UpdateSecuritySettings> = record({
  settings: securitySettingsCodec,
  expectedVersion: unsigned,
});
