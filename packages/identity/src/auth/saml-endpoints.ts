// The SAML endpoints, which providers and their browsers call: our metadata, and the address that responses are posted
// to. They read and write no cookie.
import { AppError, type Logger } from '@penstock/platform';
import type { SsoTools } from '../sso/begin-sso.ts';
import { receiveSaml } from '../sso/receive-saml.ts';
import { writeSamlMetadata } from '../sso/saml-metadata.ts';
import { readForm } from './auth-body.ts';

const METADATA_PATH = /^\/sso\/saml\/metadata\/([\w-]{1,100})$/;
const SAML_CONSUMER_PATH = '/sso/saml/acs';

/** @returns null if the path is not one of these */
export async function answerSaml(
  tools: SsoTools,
  { path, request, logger }: { path: string; request: Request; logger: Logger },
): Promise<Response | null> {
  const name = METADATA_PATH.exec(path)?.[1];
  if (name !== undefined && request.method === 'GET') {
    const headers = { 'content-type': 'application/samlmetadata+xml' };
    return new Response(writeSamlMetadata(tools.webUrl, name), { headers });
  }
  if (path !== SAML_CONSUMER_PATH || request.method !== 'POST') {
    return null;
  }
  const form = await readForm(request);
  const posted = { response: form?.get('SAMLResponse') ?? '', relayState: form?.get('RelayState') ?? '' };
  const location = await receiveSaml(tools, posted, new Date()).catch((error: unknown) => {
    if (!(error instanceof AppError)) {
      throw error;
    }
    logger.info({ part: 'auth', code: error.code, err: error.cause }, 'A SAML response was refused');
    return `${tools.webUrl}/sign-in/sso?refused=${error.code}`;
  });
  return new Response(null, { status: 303, headers: { location } });
}
