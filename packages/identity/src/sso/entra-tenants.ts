// Entra ID’s issuers that name no organization’s tenant. Anybody with a tenant of their own could claim any address there.

/** The tenant of personal Microsoft accounts. */
const MICROSOFT_ACCOUNTS = '9188040d-6c67-4b7f-9dd1-97a35d6a0f5a';

const HOSTS = /^https:\/\/(login\.(microsoftonline|partner\.microsoftonline)\.\w+|sts\.windows\.net)\//i;
const SHARED_TENANT = new RegExp(`/(common|organizations|consumers|\\{tenantid\\}|${MICROSOFT_ACCOUNTS})(/|$)`, 'i');

export const OWN_TENANT_REMEDY =
  'In Entra ID, enter the issuer of your own tenant: https://login.microsoftonline.com/<tenant ID>/v2.0.';

/** Whether an issuer signs in people of every tenant. */
export function isForEveryTenant(issuer: string): boolean {
  return HOSTS.test(issuer) && SHARED_TENANT.test(issuer);
}
