// Signed SAML responses that were changed afterwards, and posts that are none. Nothing changed opens a session for anybody but
// the person whom the provider signed, and nothing makes us fail.
import { deflateRawSync } from 'node:zlib';
import { AppError, createSecretBox, newId } from '@penstock/platform';
import { setUpControlPlane } from '@penstock/tenancy/testing';
import { bentText, damagedBytes, hostileText, runFuzz } from '@penstock/testing/fuzz';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { ROOT_SECRETS, setUpAccounts, WEB_URL } from '../testing/accounts.ts';
import { readSamlAnswer, type SamlPlace } from './saml-answer.ts';
import { readSamlMetadata, samlConsumerUrl, samlEntityId } from './saml-metadata.ts';
import { updateSso } from './sso-settings.ts';
import { type SamlStandIn, startSamlStandIn } from './testing/saml-stand-in.ts';

const plane = setUpControlPlane();
const accounts = setUpAccounts(plane);
const tools = { secretBox: createSecretBox(ROOT_SECRETS), policy: { isLoopbackAllowed: true, allowedPorts: [443] } };
let provider: SamlStandIn;
let email: string;
let organizationId: string;

beforeAll(async () => {
  provider = startSamlStandIn();
  const tenant = await plane.newTenant();
  ({ organizationId } = tenant);
  await tenant.run((scope) => updateSso(scope, { protocol: 'saml', samlMetadata: provider.metadata() }, tools));
  const domain = `${newId()}.example`;
  const facts = { id: newId(), organizationId, domain, token: 'token', verifiedAt: new Date() };
  await plane.database.ssoDomain.create({ data: facts });
  email = `ada@${domain}`;
});

const REQUEST_ID = '_request';

/** The response that the provider posts for a request of ours. */
function signedResponse(signs: 'assertion' | 'response'): Buffer {
  const consumerUrl = samlConsumerUrl(WEB_URL);
  const request = `<samlp:AuthnRequest ID="${REQUEST_ID}" AssertionConsumerServiceURL="${consumerUrl}"><saml:Issuer xmlns:saml="x">${samlEntityId(WEB_URL, organizationId)}</saml:Issuer></samlp:AuthnRequest>`;
  const url = new URL(provider.signOnUrl);
  url.searchParams.set('SAMLRequest', deflateRawSync(request).toString('base64'));
  return Buffer.from(provider.respond(url.href, email, { signs }).SAMLResponse, 'base64');
}

const place = async (): Promise<SamlPlace> => ({
  provider: await readSamlMetadata(provider.metadata()),
  organizationId,
  webUrl: WEB_URL,
});

const read = async (xml: Uint8Array) =>
  readSamlAnswer(await place(), REQUEST_ID, Buffer.from(xml).toString('base64')).catch((error: unknown) => {
    expect(error).toBeInstanceOf(AppError);
    return null;
  });

/** Parts of the document moved, doubled, emptied or replaced: the tree is another one, and most bytes stay. */
function rearranged(xml: string): fc.Arbitrary<string> {
  const elements = [...xml.matchAll(/<(\/?)([\w:]+)[^>]*>/g)].map(({ index, 0: text }) => ({ at: index, text }));
  const place = fc.nat(elements.length - 1).map((index) => elements[index] ?? { at: 0, text: '' });
  return fc
    .tuple(
      place,
      place,
      place,
      fc.constantFrom('move', 'copy', 'remove', 'comment', 'entity', 'rename'),
      hostileText(20),
    )
    .map(([one, other, to, how, text]) => {
      const [from, until] = one.at < other.at ? [one.at, other.at] : [other.at, one.at];
      const part = xml.slice(from, until);
      switch (how) {
        case 'move': {
          const rest = xml.slice(0, from) + xml.slice(until);
          const at = Math.min(to.at, rest.length);
          return rest.slice(0, at) + part + rest.slice(at);
        }
        case 'copy':
          return xml.slice(0, to.at) + part + xml.slice(to.at);
        case 'remove':
          return xml.slice(0, from) + xml.slice(until);
        case 'comment':
          return `${xml.slice(0, to.at)}<!--${text}-->${xml.slice(to.at)}`;
        case 'entity':
          return xml.replace('ada@', '&#x61;da@').slice(0, xml.length + 10);
        default:
          return xml.replaceAll(one.text, one.text.replace(/\w+/, 'x'));
      }
    });
}

test('a changed response proves nothing else', async () => {
  const originals = [signedResponse('assertion'), signedResponse('response')];
  const answers = await Promise.all(originals.map(read));
  expect(answers.map((answer) => answer?.subject)).toEqual([email, email]);
  const changed = fc.nat(1).chain((at) => {
    const xml = originals[at] ?? Buffer.alloc(0);
    return fc.oneof(damagedBytes(xml), rearranged(xml.toString()).map(Buffer.from)).map((bytes) => ({ at, bytes }));
  });
  const property = fc.asyncProperty(changed, async ({ at, bytes }) => {
    const answer = await read(bytes);
    if (answer !== null) {
      // The change was outside of what is signed.
      expect(answer).toEqual(answers[at]);
    }
  });
  await runFuzz('sign-in', 'saml-responses', 300, property);
});

test('a post that answers no request of ours opens nothing', async () => {
  const xml = signedResponse('assertion').toString('base64');
  const fields = fc.record({
    SAMLResponse: fc.oneof(bentText(xml), hostileText(), fc.constant(xml)),
    RelayState: hostileText(200),
    extra: hostileText(50),
  });
  const property = fc.asyncProperty(fields, async (form) => {
    // From an address of its own: posts are throttled by address.
    const { headers } = accounts.newBrowser();
    headers.set('origin', 'https://idp.example');
    headers.set('content-type', 'application/x-www-form-urlencoded');
    const answer = await accounts.auth.handle(
      new Request(`${WEB_URL}/api/auth/sso/saml/acs`, {
        method: 'POST',
        headers,
        body: new URLSearchParams(form).toString(),
      }),
    );
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `${WEB_URL}/sign-in/sso?refused=sso_state_unknown`,
    ]);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
  await runFuzz('sign-in', 'saml-posts', 100, property);
});

test('metadata is read or refused', async () => {
  const property = fc.asyncProperty(damagedBytes(Buffer.from(provider.metadata(2))), async (bytes) => {
    await readSamlMetadata(Buffer.from(bytes).toString()).catch((error: unknown) => {
      expect(error).toBeInstanceOf(AppError);
    });
  });
  await runFuzz('sign-in', 'saml-metadata', 200, property);
});
