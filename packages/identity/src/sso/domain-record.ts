// The TXT record that proves a domain, and the look for it.
import { resolveTxt } from 'node:dns/promises';

const LOOKUP_TIMEOUT_MS = 5_000;

export interface DomainRecord {
  recordName: string;
  recordText: string;
}

export function recordOf({ domain, token }: { domain: string; token: string }): DomainRecord {
  return { recordName: `_penstock.${domain}`, recordText: `penstock-verification=${token}` };
}

/** `gone`: the DNS says so. `unknown`: nobody answered, or not usefully; that proves nothing either way. */
export type RecordState = 'there' | 'gone' | 'unknown';

export type LookUpTxt = (record: DomainRecord) => Promise<RecordState>;

/** All TXT records of a name, each in its parts. */
export type ResolveTxt = (name: string) => Promise<string[][]>;

/** What the DNS answers about a name that does not exist, or that has no TXT record. */
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
