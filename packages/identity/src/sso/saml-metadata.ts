// The metadata documents of SAML: reads the provider's, writes ours.
import { X509Certificate } from 'node:crypto';
import { generateServiceProviderMetadata } from '@node-saml/node-saml';
import { AppError } from '@penstock/platform';
import type { WebhookPolicy } from '@penstock/tenancy';
import xml2js from 'xml2js';
import { guardedFetch } from './guarded-fetch.ts';
import { sha256 } from './login-in-hand.ts';
import { attributeOf, elementsIn, textOf } from './xml-elements.ts';

export interface SamlProvider {
  entityId: string;
  /** Where sign-ins go, by the HTTP redirect binding. */
  signOnUrl: string;
  /** Base64 DER. More than one while the provider changes its key. */
  certificates: string[];
}

const REDIRECT_BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

/** Far above the size of a metadata document with several certificates. */
export const MAX_METADATA_LENGTH = 100_000;
const MAX_CERTIFICATES = 5;
/** The limit set by SAML. */
const MAX_ENTITY_ID_LENGTH = 1_024;

/**
 * Our entity ID for an organization, and the URL of our metadata. Each organization has its own, so that an assertion for
 * one opens no other. A hash, because providers need not know our IDs.
 */
export const samlEntityId = (webUrl: string, organizationId: string): string =>
  entityIdOf(webUrl, sha256(`saml ${organizationId}`).slice(0, 22));
const entityIdOf = (webUrl: string, name: string): string => `${webUrl}/api/auth/sso/saml/metadata/${name}`;

/** Where providers post their responses. */
export const samlConsumerUrl = (webUrl: string): string => `${webUrl}/api/auth/sso/saml/acs`;

/**
 * Our metadata for an organization's provider. Holds nothing secret, and doesn't tell whether there is such an
 * organization.
 * @param name the last part of the entity ID
 */
export function writeSamlMetadata(webUrl: string, name: string): string {
  return generateServiceProviderMetadata({
    issuer: entityIdOf(webUrl, name),
    callbackUrl: samlConsumerUrl(webUrl),
    identifierFormat: null,
    wantAssertionsSigned: true,
    generateUniqueId: () => `_${name}`,
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
export async function readSamlMetadata(xml: string): Promise<SamlProvider> {
  const [root] = elementsIn(await parse(xml), 'EntityDescriptor');
  const [descriptor] = elementsIn(root, 'IDPSSODescriptor');
  const entityId = attributeOf(root, 'entityID');
  if (entityId === '' || entityId.length > MAX_ENTITY_ID_LENGTH || descriptor === undefined) {
    throw invalid('it isn’t that of an identity provider');
  }
  const signOn = elementsIn(descriptor, 'SingleSignOnService').find(
    (service) => attributeOf(service, 'Binding') === REDIRECT_BINDING,
  );
  if (signOn === undefined) {
    throw invalid('it has no SingleSignOnService with the HTTP-Redirect binding');
  }
  const certificates = elementsIn(descriptor, 'KeyDescriptor')
    .filter((key) => attributeOf(key, 'use') !== 'encryption')
    .flatMap((key) => elementsIn(key, 'KeyInfo'))
    .flatMap((info) => elementsIn(info, 'X509Data'))
    .flatMap((data) => elementsIn(data, 'X509Certificate'))
    .map((element) => readCertificate(textOf(element)));
  if (certificates.length === 0 || certificates.length > MAX_CERTIFICATES) {
    throw invalid(`it has ${certificates.length} signing certificates`);
  }
  return { entityId, signOnUrl: attributeOf(signOn, 'Location'), certificates: [...new Set(certificates)] };
}

async function parse(xml: string): Promise<unknown> {
  // Metadata needs no document type, and entities are a way to attack a parser.
  if (xml.length > MAX_METADATA_LENGTH || /<!(DOCTYPE|ENTITY)/i.test(xml)) {
    throw invalid('it is too large or declares a document type');
  }
  const parser = new xml2js.Parser({ tagNameProcessors: [xml2js.processors.stripPrefix] });
  try {
    return await parser.parseStringPromise(xml);
  } catch (error) {
    throw invalid('it isn’t XML', error);
  }
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

/** The certificate details shown to owners. */
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
