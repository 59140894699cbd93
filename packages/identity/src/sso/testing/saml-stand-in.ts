// A small SAML identity provider in the test process, with real certificates and XML signatures. Tests can make its
// responses wrong.
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const RSA_SHA1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1';
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

interface KeyPair {
  privateKey: string;
  certificate: string;
}

function newKeyPair(): KeyPair {
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-subj', '/CN=idp.example'];
  const pem = execFileSync('openssl', [...request, '-keyout', '-', '-out', '-'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const text = pem.toString();
  return {
    privateKey: /-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----/.exec(text)?.[0] ?? '',
    certificate: new X509Certificate(/-----BEGIN CERTIFICATE-----[\s\S]+/.exec(text)?.[0] ?? '').raw.toString('base64'),
  };
}

/** Replacements for the correct values in an assertion. */
export interface SamlBend {
  issuer?: string;
  audience?: string;
  recipient?: string;
  inResponseTo?: string | null;
  method?: string;
  /** Expiry in seconds from now. */
  expiresInS?: number;
  /** XML inside the NameID; a test may put a comment there. */
  nameId?: string;
  attributes?: Record<string, string | readonly string[]>;
  /** When the person signed in, in seconds from now. */
  signedInS?: number;
  signs?: 'assertion' | 'response' | 'nothing';
  /** Signs with the second key. */
  isNextKey?: boolean;
  algorithm?: 'sha256' | 'sha1';
  /** Changes the XML after it was signed. */
  tamper?: (xml: string) => string;
}

export interface SamlStandIn {
  readonly entityId: string;
  readonly signOnUrl: string;
  /** @param keys how many of its two certificates the document has */
  metadata(keys?: 1 | 2): string;
  /** The form that the provider makes the browser post for our request. */
  respond(requestUrl: string, email: string, bend?: SamlBend): { SAMLResponse: string; RelayState: string };
}

/** Parses the content of our request. */
export function readSamlRequest(requestUrl: string): {
  id: string;
  issuer: string;
  consumerUrl: string;
  isForced: boolean;
} {
  const request = new URL(requestUrl).searchParams.get('SAMLRequest') ?? '';
  const xml = inflateRawSync(Buffer.from(request, 'base64')).toString();
  const find = (pattern: RegExp) => pattern.exec(xml)?.[1] ?? '';
  return {
    id: find(/ ID="([^"]+)"/),
    issuer: find(/<saml:Issuer[^>]*>([^<]+)</),
    consumerUrl: find(/AssertionConsumerServiceURL="([^"]+)"/),
    isForced: find(/ ForceAuthn="([^"]+)"/) === 'true',
  };
}

export function startSamlStandIn(): SamlStandIn {
  const [current, next] = [newKeyPair(), newKeyPair()];
  const entityId = 'https://idp.example/saml';
  const signOnUrl = 'https://idp.example/sso';

  function sign(xml: string, name: 'Assertion' | 'Response', bend: SamlBend): string {
    const { privateKey, certificate } = bend.isNextKey === true ? next : current;
    const signer = new SignedXml({
      privateKey,
      publicCert: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----`,
      signatureAlgorithm: bend.algorithm === 'sha1' ? RSA_SHA1 : RSA_SHA256,
      canonicalizationAlgorithm: EXCLUSIVE,
    });
    const xpath = `//*[local-name(.)='${name}']`;
    signer.addReference({
      xpath,
      transforms: [ENVELOPED, EXCLUSIVE],
      digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    });
    signer.computeSignature(xml, { location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' } });
    return signer.getSignedXml();
  }

  return {
    entityId,
    signOnUrl,
    metadata(keys = 1) {
      const certificates = [current, next].slice(0, keys).map(({ certificate }) => certificate);
      const descriptors = certificates.map(
        (certificate) =>
          `<KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>\n${certificate}\n</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>`,
      );
      return `<?xml version="1.0"?><EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}"><IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${descriptors.join('')}<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.example/post"/><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${signOnUrl}"/></IDPSSODescriptor></EntityDescriptor>`;
    },
    respond(requestUrl, email, bend = {}) {
      const { id, issuer, consumerUrl } = readSamlRequest(requestUrl);
      const at = (offsetS: number) => new Date(Date.now() + offsetS * 1_000).toISOString();
      const expires = at(bend.expiresInS ?? 300);
      const answered = bend.inResponseTo === undefined ? id : bend.inResponseTo;
      const inResponseTo = answered === null ? '' : ` InResponseTo="${answered}"`;
      const attributes = Object.entries(bend.attributes ?? {}).map(([name, values]) => {
        const list = typeof values === 'string' ? [values] : values;
        return `<saml:Attribute Name="${name}">${list.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`;
      });
      const statement =
        attributes.length === 0 ? '' : `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>`;
      const assertion = `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_assertion" Version="2.0" IssueInstant="${at(0)}"><saml:Issuer>${bend.issuer ?? entityId}</saml:Issuer><saml:Subject><saml:NameID Format="${EMAIL_FORMAT}">${bend.nameId ?? email}</saml:NameID><saml:SubjectConfirmation Method="${bend.method ?? 'urn:oasis:names:tc:SAML:2.0:cm:bearer'}"><saml:SubjectConfirmationData${inResponseTo} Recipient="${bend.recipient ?? consumerUrl}" NotOnOrAfter="${expires}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${at(-60)}" NotOnOrAfter="${expires}"><saml:AudienceRestriction><saml:Audience>${bend.audience ?? issuer}</saml:Audience></saml:AudienceRestriction></saml:Conditions>${statement}<saml:AuthnStatement AuthnInstant="${at(bend.signedInS ?? 0)}"/></saml:Assertion>`;
      const envelope = (content: string) =>
        `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_response" Version="2.0" IssueInstant="${at(0)}" InResponseTo="${id}" Destination="${consumerUrl}"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${entityId}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${content}</samlp:Response>`;
      const signs = bend.signs ?? 'assertion';
      // Signed before it is put into the envelope, as providers do: the XPath finds one Issuer alone.
      const inner = signs === 'nothing' ? assertion : sign(assertion, 'Assertion', bend);
      const xml = signs === 'response' ? sign(envelope(inner), 'Response', bend) : envelope(inner);
      return {
        SAMLResponse: Buffer.from(bend.tamper?.(xml) ?? xml).toString('base64'),
        RelayState: new URL(requestUrl).searchParams.get('RelayState') ?? '',
      };
    },
  };
}
