// The TXT record that proves ownership of a domain, and its lookup.
import { resolveTxt } from 'node:dns/promises';

const LOOKUP_TIMEOUT_MS = 5_000;

export interface DomainRecord {
  recordName: string;
  recordText: string;
}

export function recordOf({ domain, token }: { domain: string; token: string }): DomainRecord {
  return { recordName: `_penstock.${domain}`, recordText: `penstock-verification=${token}` };
}

/** `gone`: the DNS says so. `unknown`: no usable answer, which proves nothing either way. */
export type RecordState = 'there' | 'gone' | 'unknown';

export type LookUpTxt = (record: DomainRecord) => Promise<RecordState>;

/** All TXT records of a name, each in its parts. */
export type ResolveTxt = (name: string) => Promise<string[][]>;

/** DNS error codes for a name that does not exist or has no TXT record. */
const saysNo: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

export function lookUpTxt(record: DomainRecord): Promise<RecordState> {
  return lookUpWith(resolveTxt, record);
}

export async function lookUpWith(resolve: ResolveTxt, { recordName, recordText }: DomainRecord): Promise<RecordState> {
  const timeout = new Promise<null>((done) => setTimeout(done, LOOKUP_TIMEOUT_MS, null).unref());
  const asked = resolve(recordName).catch((error: unknown) => (saysNo.has(codeOf(error)) ? [] : null));
  const found = await Promise.race([asked, timeout]);
  if (found === null) {
    return 'unknown';
  }
  return found.some((parts) => parts.join('') === recordText) ? 'there' : 'gone';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
