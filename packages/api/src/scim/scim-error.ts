// Errors in SCIM's own form (RFC 7644, section 3.12).
import { AppError, type Logger, newId } from '@penstock/platform';
import type { RestResponse } from '../rest/exchange.ts';
import { HttpRefusal, statusOfKind } from '../rest/problem.ts';

/** The kinds of error that RFC 7644 (table 9) names for clients. */
export type ScimType = 'invalidFilter' | 'invalidPath' | 'invalidSyntax' | 'invalidValue' | 'mutability' | 'uniqueness';

export const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** A refusal by SCIM's rules, not by a use-case. */
export class ScimRefusal extends Error {
  readonly status: 400 | 404 | 405;
  readonly scimType: ScimType | null;

  constructor(status: 400 | 404 | 405, scimType: ScimType | null, detail: string) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

export const invalidValue = (detail: string): ScimRefusal => new ScimRefusal(400, 'invalidValue', detail);
export const invalidPath = (detail: string): ScimRefusal => new ScimRefusal(400, 'invalidPath', detail);

interface ScimError {
  status: number;
  scimType: ScimType | null;
  detail: string;
  headers: Record<string, string>;
}

/** Describes what was thrown. A defect shows only its reference number; the rest goes to the log. */
export function describeScimError(error: unknown, logger: Logger): ScimError {
  if (error instanceof ScimRefusal) {
    return { status: error.status, scimType: error.scimType, detail: error.message, headers: {} };
  }
  if (error instanceof HttpRefusal) {
    const scimType = error.status === 400 ? 'invalidSyntax' : null;
    return { status: error.status, scimType, detail: error.message, headers: error.headers };
  }
  if (error instanceof AppError && error.kind !== 'internal') {
    const detail = error.remedy === undefined ? error.message : `${error.message} ${error.remedy}`;
    switch (error.kind) {
      case 'unauthenticated':
        return { status: 401, scimType: null, detail, headers: { 'www-authenticate': 'Bearer' } };
      case 'invalid-input':
        return { status: 400, scimType: 'invalidValue', detail, headers: {} };
      case 'conflict':
        return { status: 409, scimType: 'uniqueness', detail, headers: {} };
      case 'refused':
        // 409 means to providers that the user exists.
        return { status: 403, scimType: null, detail, headers: {} };
      default: {
        const status = statusOfKind[error.kind];
        return { status, scimType: null, detail, headers: status === 503 ? { 'retry-after': '2' } : {} };
      }
    }
  }
  const reference = newId();
  logger.error({ err: error, reference }, 'A SCIM request failed');
  return {
    status: 500,
    scimType: null,
    detail: `Something went wrong on our side. Contact us with the reference ${reference}.`,
    headers: {},
  };
}

/** The response for an error. */
export function scimErrorResponse({ status, scimType, detail, headers }: ScimError): RestResponse {
  const body = {
    schemas: [ERROR_SCHEMA],
    status: String(status),
    ...(scimType === null ? {} : { scimType }),
    detail,
  };
  return { status, headers: { 'content-type': SCIM_CONTENT_TYPE, ...headers }, body: JSON.stringify(body) };
}

export const SCIM_CONTENT_TYPE = 'application/scim+json';
