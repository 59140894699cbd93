// The metadata documents of SAML: reads the provider's, writes ours.
import { X509Certificate } from 'node:crypto';
import { generateServiceProviderMetadata } from '@node-saml/node-saml';
import { AppError } from '@penstock/platform';
import type { WebhookPolicy } from '@penstock/tenancy';
import { DOMParser } from '@xmldom/xmldom';
import { guardedFetch } from './guarded-fetch.ts';

export interface SamlProvider {
  entityId: string;
  /** Where sign-ins go, by the HTTP redirect binding. */
  signOnUrl: string;
  /** Base64 DER. More than one while the provider changes its key. */
  certificates: string[];
}

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const REDIRECT_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

/** Far above the size of a metadata document with several certificates. */
export const MAX_METADATA_LENGTH = 100_000;
const MAX_CERTIFICATES = 5;

/** Our entity ID for an organization. Each has its own, so that an assertion for one opens no other. */
export const samlEntityId = (webUrl: string, organizationId: string): string =>
  `${webUrl}/api/auth/sso/saml/metadata/${organizationId}`;
/** Where providers post their responses. */
export const samlConsumerUrl = (webUrl: string): string => `${webUrl}/api/auth/sso/saml/acs`;

/** Our metadata for an organization's provider. Holds nothing secret. */
export function writeSamlMetadata(webUrl: string, organizationId: string): string {
  return generateServiceProviderMetadata({
    issuer: samlEntityId(webUrl, organizationId),
    callbackUrl: samlConsumerUrl(webUrl),
    identifierFormat: null,
    wantAssertionsSigned: true,
    generateUniqueId: () => `_${organizationId}`,
  });
}

function invalid(why: string, cause?: unknown): AppError {
  return new AppError({
    kind: 'invalid-input',
    code: 'sso_metadata_invalid',
    field: 'samlMetadata',
    message: `We can’t use this SAML metadata: ${why}.`,
    remedy: 'Copy the metadata XML of the application from your provider.',
    cause,
  });
}

/** @throws AppError `sso_metadata_invalid` */
export function readSamlMetadata(xml: string): SamlProvider {
  const root = parse(xml);
  const entityId = root.getAttribute('entityID') ?? '';
  const [descriptor] = childrenOf(root, METADATA, 'IDPSSODescriptor');
  if (entityId === '' || descriptor === undefined) {
    throw invalid('it isn’t that of an identity provider');
  }
  const signOn = childrenOf(descriptor, METADATA, 'SingleSignOnService').find(
    (service) => service.getAttribute('Binding') === REDIRECT_BINDING,
  );
  if (signOn === undefined) {
    throw invalid('it has no SingleSignOnService with the HTTP-Redirect binding');
  }
  const certificates = childrenOf(descriptor, METADATA, 'KeyDescriptor')
    .filter((key) => key.getAttribute('use') !== 'encryption')
    .flatMap((key) => Array.from(key.getElementsByTagNameNS(SIGNATURE, 'X509Certificate')))
    .map((element) => readCertificate(element.textContent ?? ''));
  if (certificates.length === 0 || certificates.length > MAX_CERTIFICATES) {
    throw invalid(`it has ${certificates.length} signing certificates`);
  }
  return { entityId, signOnUrl: signOn.getAttribute('Location') ?? '', certificates: [...new Set(certificates)] };
}

function parse(xml: string): Element {
  // Metadata needs no document type, and entities are a way to attack a parser.
  if (xml.length > MAX_METADATA_LENGTH || /<!(DOCTYPE|ENTITY)/i.test(xml)) {
    throw invalid('it is too large or declares a document type');
  }
  let fault: unknown = null;
  const note = (error: unknown) => {
    fault ??= error;
  };
  let root: Element | null = null;
  try {
    root = new DOMParser({ errorHandler: { warning: note, error: note, fatalError: note } }).parseFromString(
      xml,
      'text/xml',
    ).documentElement;
  } catch (error) {
    note(error);
  }
  if (fault !== null || root === null || root.localName !== 'EntityDescriptor' || root.namespaceURI !== METADATA) {
    throw invalid('it isn’t an EntityDescriptor', fault ?? undefined);
  }
  return root;
}

function childrenOf(parent: Element, namespace: string, name: string): Element[] {
  return Array.from(parent.getElementsByTagNameNS(namespace, name)).filter(({ parentNode }) => parentNode === parent);
}

function readCertificate(text: string): string {
  const base64 = text.replaceAll(/\s+/g, '');
  try {
    return new X509Certificate(Buffer.from(base64, 'base64')).raw.toString('base64');
  } catch (error) {
    throw invalid('a signing certificate can’t be read', error);
  }
}

export interface CertificateView {
  /** SHA-256, as colon-separated bytes. */
  fingerprint: string;
  expiresAt: Date;
}

/** What owners see of a certificate. */
export function describeCertificate(certificate: string): CertificateView {
  const { fingerprint256, validTo } = new X509Certificate(Buffer.from(certificate, 'base64'));
  return { fingerprint: fingerprint256, expiresAt: new Date(validTo) };
}

/**
 * Fetches a provider's metadata document from the URL that it publishes.
 * @throws AppError `sso_provider_unreachable`, `sso_metadata_invalid`
 */
export async function fetchSamlMetadata(url: string, policy: WebhookPolicy): Promise<string> {
  const headers = { accept: 'application/samlmetadata+xml, application/xml, text/xml' };
  const parsed = URL.parse(url);
  const response =
    parsed === null ? null : await guardedFetch(parsed, { method: 'GET', headers, body: undefined }, policy);
  if (response?.ok !== true) {
    throw invalid('its URL doesn’t return a document');
  }
  return response.text();
}
