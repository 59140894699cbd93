// Encodes responses as JSON, and computes their ETags.
import { hash } from 'node:crypto';
import type { z } from 'zod';

/** Schemas whose responses have contained a bigint. Few do, and checking every value takes time. */
const withBigints = new WeakSet<z.ZodType>();

/** Encodes through the schema, so that nothing undocumented leaves the server. */
export function encodeJson(schema: z.ZodType, data: unknown): string {
  const answer = schema.parse(data);
  if (!withBigints.has(schema)) {
    try {
      return JSON.stringify(answer);
    } catch (error) {
      // JSON.stringify throws a TypeError for a bigint.
      if (!(error instanceof TypeError)) {
        throw error;
      }
      withBigints.add(schema);
    }
  }
  return JSON.stringify(answer, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}

/** The strong ETag of a response. */
export function etagOf(json: string): string {
  return `"${hash('sha256', json, 'base64url').slice(0, 27)}"`;
}

/** Whether a list of ETags, as in If-Match, contains this one. */
export function isAmong(header: string, etag: string): boolean {
  return header.trim() === '*' || header.split(',').some((candidate) => candidate.trim() === etag);
}
