// Invariants of access control.
import { atLeast, atMost, equal } from '../conditions/compare.ts';
import { MAX_ACL_CHARS, MAX_ACLS, MAX_CLIENT_QUOTAS, MAX_SCRAM_CREDENTIALS } from '../model/limits.ts';
import { aclChars, aclKey, credentialKey, quotaKey, type Security } from '../model/security.ts';
import { ScramMechanism } from '../security/scram-rules.ts';

const SHA_256_BYTES = 32;
const SHA_512_BYTES = 64;

export function checkSecurity({ credentials, acls, quotas, aclChars: counted, version }: Security): void {
  atLeast(version, 0, 'the version of access control is not negative');
  atMost(credentials.size, MAX_SCRAM_CREDENTIALS, 'there are no more credentials than allowed');
  atMost(acls.size, MAX_ACLS, 'there are no more ACLs than allowed');
  atMost(quotas.size, MAX_CLIENT_QUOTAS, 'there are no more quotas than allowed');
  for (const [key, credential] of credentials) {
    equal(credentialKey(credential), key, 'a credential is under its key');
    const bytes = credential.mechanism === ScramMechanism.SHA_256 ? SHA_256_BYTES : SHA_512_BYTES;
    equal(credential.storedKey.length, bytes, 'the stored key has the length of its mechanism');
    equal(credential.serverKey.length, bytes, 'the server key has the length of its mechanism');
    atLeast(credential.iterations, 1, 'a credential has iterations');
  }
  let chars = 0;
  for (const [key, acl] of acls) {
    equal(aclKey(acl), key, 'an ACL is under its key');
    chars += aclChars(acl);
  }
  equal(counted, chars, 'the characters of ACLs are what they add up to');
  atMost(chars, MAX_ACL_CHARS, 'the characters of ACLs are no more than allowed');
  for (const [key, quota] of quotas) {
    equal(quotaKey(quota), key, 'a quota is under its key');
    atLeast(quota.values.size, 1, 'a quota has a value');
    for (const value of quota.values.values()) {
      atLeast(value, Number.MIN_VALUE, 'the value of a quota is positive');
    }
  }
}
