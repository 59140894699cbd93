/** The token of an `authorization: Bearer …` header; undefined when there is none. */
export function bearerToken(headers: Pick<Headers, 'get'>): string | undefined {
  const match = /^Bearer ([^\s]+)$/i.exec(headers.get('authorization')?.trim() ?? '');
  return match?.[1];
}
