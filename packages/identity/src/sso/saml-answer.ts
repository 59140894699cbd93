// SAML's request and response: where to send the browser, and what a posted response proves. The library verifies
// signatures, times and the audience and reads the signed element alone. What it takes from the unsigned envelope or
// doesn't check is checked here, on the signed assertion.
import { randomBytes } from 'node:crypto';
import { type CacheProvider, type Profile, SAML, SamlStatusError, ValidateInResponseTo } from '@node-saml/node-saml';
import { AppError } from '@penstock/platform';
import { MINUTE_MS } from '@penstock/units';
import { LOGIN_LIFETIME_MS } from './login-in-hand.ts';
import { type Claims, type ProviderAnswer, readFacts } from './provider-claims.ts';
import { type SamlProvider, samlConsumerUrl, samlEntityId } from './saml-metadata.ts';
import { attributeOf, elementsIn, isText } from './xml-elements.ts';

/** Between the provider's clock and ours. */
const CLOCK_SKEW_MS = MINUTE_MS;

export interface SamlPlace {
  provider: SamlProvider;
  organizationId: string;
  webUrl: string;
}

function openSaml({ provider, organizationId, webUrl }: SamlPlace, requestId: string, isForced = false): SAML {
  return new SAML({
    entryPoint: provider.signOnUrl,
    idpCert: provider.certificates,
    issuer: samlEntityId(webUrl, organizationId),
    audience: samlEntityId(webUrl, organizationId),
    callbackUrl: samlConsumerUrl(webUrl),
    wantAssertionsSigned: true,
    // Providers sign the assertion, the response or both. The library reads what is signed.
    wantAuthnResponseSigned: false,
    identifierFormat: null,
    forceAuthn: isForced,
    // Entra ID refuses people who signed in with more than a password if we ask for a password.
    disableRequestedAuthnContext: true,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    maxAssertionAgeMs: LOGIN_LIFETIME_MS,
    generateUniqueId: () => requestId,
    validateInResponseTo: ValidateInResponseTo.always,
    requestIdExpirationPeriodMs: LOGIN_LIFETIME_MS,
    cacheProvider: onlyRequest(requestId),
  });
}

/** Our own store knows the request, and forgets it with the first response. */
function onlyRequest(requestId: string): CacheProvider {
  const createdAt = Date.now();
  const find = async (key: string | null) => (key === requestId ? new Date(createdAt).toISOString() : null);
  return {
    saveAsync: async (_key, value) => ({ value, createdAt }),
    getAsync: find,
    removeAsync: find,
  };
}

/** An XML ID, which may not begin with a digit. */
export const newRequestId = (): string => `_${randomBytes(20).toString('hex')}`;

/**
 * @param request.isForced whether the provider must ask the person again
 * @returns where to send the browser
 */
export async function samlRequestUrl(
  place: SamlPlace,
  { requestId, relayState, isForced }: { requestId: string; relayState: string; isForced: boolean },
): Promise<URL> {
  return new URL(await openSaml(place, requestId, isForced).getAuthorizeUrlAsync(relayState, undefined, {}));
}

function refuse(why: string, remedy: string, cause?: unknown): AppError {
  return new AppError({
    kind: 'forbidden',
    code: 'sso_answer_refused',
    message: `We couldn’t verify the identity provider’s response. ${why}`,
    remedy,
    cause,
  });
}

/**
 * @param response the posted form field, base64
 * @throws AppError `sso_answer_refused` with what went wrong
 */
export async function readSamlAnswer(place: SamlPlace, requestId: string, response: string): Promise<ProviderAnswer> {
  const xml = Buffer.from(response, 'base64').toString('utf8');
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) {
    throw refuse('It declares a document type.', 'Use the default SAML settings of your provider.');
  }
  if (xml.includes('http://www.w3.org/2000/09/xmldsig#rsa-sha1')) {
    throw refuse('It is signed with SHA-1.', 'Choose SHA-256 as the signing algorithm at your provider.');
  }
  const { profile } = await openSaml(place, requestId)
    .validatePostResponseAsync({ SAMLResponse: response })
    .catch((error: unknown) => {
      throw explain(error);
    });
  if (profile === null) {
    throw refuse('It contains no assertion.', 'Check the application at your provider.');
  }
  requireBoundAssertion(place, requestId, profile);
  const claims = claimsOf(profile);
  const authenticatedAtMs = authenticatedAt(profile.getAssertion?.());
  return { issuer: profile.issuer, subject: subjectOf(profile, claims), claims, authenticatedAtMs };
}

/** The newest instant in the signed assertion’s statements. */
function authenticatedAt(document: unknown): number | null {
  const [assertion] = elementsIn(document, 'Assertion');
  const instants = elementsIn(assertion, 'AuthnStatement')
    .map((statement) => Date.parse(attributeOf(statement, 'AuthnInstant')))
    .filter((instant) => !Number.isNaN(instant));
  return instants.length === 0 ? null : Math.max(...instants);
}

/** The library takes InResponseTo from the unsigned envelope, and checks neither issuer, recipient nor method. */
function requireBoundAssertion({ provider, webUrl }: SamlPlace, requestId: string, profile: Profile): void {
  if (profile.issuer !== provider.entityId) {
    throw refuse('It is from another issuer.', 'Enter the metadata of this application again.');
  }
  if (typeof profile.nameID !== 'string' || profile.nameID === '') {
    throw refuse('It has no NameID.', 'Add a NameID to the application at your provider.');
  }
  if (!isText(nameIdIn(profile.getAssertion?.()))) {
    // The library would return the text before the first child alone.
    throw refuse('Its NameID contains other elements.', 'Send the identifier as plain text.');
  }
  const confirmations = confirmationsIn(profile.getAssertion?.());
  const isBound = confirmations.some(
    ({ method, inResponseTo, recipient, notOnOrAfter }) =>
      method === 'urn:oasis:names:tc:SAML:2.0:cm:bearer' &&
      inResponseTo === requestId &&
      recipient === samlConsumerUrl(webUrl) &&
      Date.parse(notOnOrAfter) + CLOCK_SKEW_MS > Date.now(),
  );
  if (!isBound) {
    throw refuse(
      'It isn’t the answer to this sign-in.',
      'Check the assertion consumer service URL at your provider, and start the sign-in from Penstock.',
    );
  }
}

interface Confirmation {
  method: string;
  inResponseTo: string;
  recipient: string;
  notOnOrAfter: string;
}

/** Reads the parsed, signed assertion: `{ Assertion: { Subject: [{ SubjectConfirmation: [{ $, … }] }] } }`. */
function confirmationsIn(document: unknown): Confirmation[] {
  const [assertion] = elementsIn(document, 'Assertion');
  const [subject] = elementsIn(assertion, 'Subject');
  return elementsIn(subject, 'SubjectConfirmation').map((confirmation) => {
    const [data] = elementsIn(confirmation, 'SubjectConfirmationData');
    return {
      method: attributeOf(confirmation, 'Method'),
      inResponseTo: attributeOf(data, 'InResponseTo'),
      recipient: attributeOf(data, 'Recipient'),
      notOnOrAfter: attributeOf(data, 'NotOnOrAfter'),
    };
  });
}

function nameIdIn(document: unknown): unknown {
  const [assertion] = elementsIn(document, 'Assertion');
  const [subject] = elementsIn(assertion, 'Subject');
  const [nameId] = elementsIn(subject, 'NameID');
  return nameId;
}

/** Attributes that providers send under the name of a schema, and the claims that they are for us. */
const CLAIMS_BY_ATTRIBUTE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress': 'email',
    'urn:oid:0.9.2342.19200300.100.1.3': 'email',
    mail: 'email',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/upn': 'upn',
    'http://schemas.microsoft.com/identity/claims/displayname': 'name',
    displayName: 'name',
    'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups': 'groups',
  }),
);

const TRANSIENT_FORMAT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/** A transient NameID is another one at each sign-in, so the address has to identify the person. */
function subjectOf({ nameID, nameIDFormat }: Profile, claims: Claims): string {
  return nameIDFormat === TRANSIENT_FORMAT ? `email:${readFacts(claims, 'groups').email ?? nameID}` : nameID;
}

const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

/** The attributes as claims. Their own names stay too, because an organization may choose one for groups. */
function claimsOf({ attributes, nameID, nameIDFormat }: Profile): Claims {
  const given = Object.entries(typeof attributes === 'object' && attributes !== null ? attributes : {});
  const known = given.flatMap(([name, value]) => {
    const claim = CLAIMS_BY_ATTRIBUTE.get(name);
    return claim === undefined ? [] : [[claim, value] as const];
  });
  const byNameId = nameIDFormat === EMAIL_FORMAT ? { email: nameID } : {};
  return { ...byNameId, ...Object.fromEntries(known), ...Object.fromEntries(given) };
}

/** The meaning of the library's messages, and what to change. Never quotes free text of the response. */
const REASONS: readonly { text: RegExp; why: string; remedy: string }[] = [
  {
    text: /decryption key/,
    why: 'Its assertion is encrypted.',
    remedy: 'Turn off assertion encryption at your provider. The response travels over https.',
  },
  {
    text: /audience|AudienceRestriction/i,
    why: 'It is for another service.',
    remedy: 'Enter our entity ID as the audience at your provider.',
  },
  {
    text: /expired|not yet valid|subject confirmation/,
    why: 'It has expired or isn’t valid yet.',
    remedy: 'Check the clock of your provider.',
  },
  { text: /InResponseTo/, why: 'It isn’t the answer to this sign-in.', remedy: 'Start the sign-in from Penstock.' },
  {
    text: /signature|signed data/i,
    why: 'Its assertion isn’t signed by your provider’s certificate.',
    remedy: 'Sign the assertion at your provider, and enter the metadata again if its certificate has changed.',
  },
];

function explain(error: unknown): AppError {
  if (error instanceof SamlStatusError) {
    return refuse('It reports an error.', 'Assign the person to the application, and check its settings.', error);
  }
  const text = error instanceof Error ? error.message : '';
  const reason = REASONS.find((known) => known.text.test(text));
  return refuse(
    reason?.why ?? 'It isn’t a valid SAML response.',
    reason?.remedy ?? 'Check the application at your provider.',
    error,
  );
}
