import { router } from '../trpc/trpc.ts';
import { addSsoDomain } from './add-sso-domain.ts';
import { getSso } from './get-sso.ts';
import { removeSso } from './remove-sso.ts';
import { removeSsoDomain } from './remove-sso-domain.ts';
import { updateSso } from './update-sso.ts';
import { verifySsoDomain } from './verify-sso-domain.ts';

export const ssoRouter = router({
  get: getSso,
  update: updateSso,
  remove: removeSso,
  addDomain: addSsoDomain,
  verifyDomain: verifySsoDomain,
  removeDomain: removeSsoDomain,
});
