// Builds the request that a user tries on the page from the typed values. Pure.
import type { ReferenceOperation } from './prepare-reference.ts';

export interface TriedRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
}

export interface TypedRequest {
  key: string;
  /** By the parameter's name. */
  values: Readonly<Record<string, string>>;
  body: string;
}

/** The request, or what is missing or invalid. */
export function buildRequest(
  { method, path, parameters, body }: Pick<ReferenceOperation, 'method' | 'path' | 'parameters' | 'body'>,
  typed: TypedRequest,
): { request: TriedRequest } | { fault: string } {
  const missing = parameters.find(({ name, isRequired }) => isRequired && (typed.values[name] ?? '') === '');
  if (missing !== undefined) {
    return { fault: `Enter ${missing.name}.` };
  }
  if (body !== null && !isJson(typed.body)) {
    return { fault: 'The body is not valid JSON.' };
  }
  const given = parameters.flatMap(({ name, place }) => {
    const value = typed.values[name] ?? '';
    return value === '' ? [] : [{ name, place, value }];
  });
  const filled = given
    .filter(({ place }) => place === 'path')
    .reduce((text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)), path);
  const query = new URLSearchParams(
    given.filter(({ place }) => place === 'query').map(({ name, value }): [string, string] => [name, value]),
  );
  return {
    request: {
      method,
      url: `/api/v1${filled}${query.size === 0 ? '' : `?${query}`}`,
      headers: {
        ...(typed.key === '' ? {} : { authorization: `Bearer ${typed.key}` }),
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...Object.fromEntries(given.filter(({ place }) => place === 'header').map(({ name, value }) => [name, value])),
      },
      ...(body === null ? {} : { body: typed.body }),
    },
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
