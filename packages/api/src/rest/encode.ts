// Answers as JSON text, and what vouches for it.
import { hash } from 'node:crypto';
import type { z } from 'zod';

/** Through the schema, so that nothing leaves that the document does not name. */
export function encodeJson(schema: z.ZodType, data: unknown): string {
  return JSON.stringify(schema.parse(data), (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}

/** A strong validator of an answer. */
export function etagOf(json: string): string {
  return `"${hash('sha256', json, 'base64url').slice(0, 27)}"`;
}

/** Whether a list of validators, as in If-Match, holds this one. */
export function isAmong(header: string, etag: string): boolean {
  return header.trim() === '*' || header.split(',').some((candidate) => candidate.trim() === etag);
}
