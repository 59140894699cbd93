// Answers as JSON text, and what vouches for it.
import { hash } from 'node:crypto';
import type { z } from 'zod';

/** Schemas of answers that hold a bigint, as they have turned out to: few do, and to look at each value takes time. */
const withBigints = new WeakSet<z.ZodType>();

/** Through the schema, so that nothing leaves that the document does not name. */
export function encodeJson(schema: z.ZodType, data: unknown): string {
  const answer = schema.parse(data);
  if (!withBigints.has(schema)) {
    try {
      return JSON.stringify(answer);
    } catch (error) {
      // What JSON.stringify throws at a bigint.
      if (!(error instanceof TypeError)) {
        throw error;
      }
      withBigints.add(schema);
    }
  }
  return JSON.stringify(answer, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}

/** A strong validator of an answer. */
export function etagOf(json: string): string {
  return `"${hash('sha256', json, 'base64url').slice(0, 27)}"`;
}

/** Whether a list of validators, as in If-Match, holds this one. */
export function isAmong(header: string, etag: string): boolean {
  return header.trim() === '*' || header.split(',').some((candidate) => candidate.trim() === etag);
}
