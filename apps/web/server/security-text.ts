// /.well-known/security.txt: where to report a vulnerability.
// https://www.rfc-editor.org/rfc/rfc9116
import 'server-only';
import { getBackend } from './backend';
import { securityText } from './write-security-text';

export function answerSecurityText(): Response {
  const { webUrl, securityContact } = getBackend();
  const text = securityText({ webUrl, contact: securityContact, now: new Date() });
  return text === undefined
    ? new Response('This installation names no security contact.\n', { status: 404 })
    : new Response(text, {
        headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=86400' },
      });
}
