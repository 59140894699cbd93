// One question to one agent, straight from this browser: what comes back never passes through our servers.
import { z } from 'zod';
import type { Question } from './question';

const contentSchema = z.object({ base64: z.string(), bytes: z.number() });
const answerSchema = z.object({
  logStartOffset: z.number(),
  highWatermark: z.number(),
  records: z.array(
    z.object({
      offset: z.number(),
      timestampMs: z.number(),
      key: contentSchema.nullable(),
      value: contentSchema.nullable(),
      headers: z.array(z.object({ key: contentSchema, value: contentSchema.nullable() })),
      headersLeftOut: z.number().default(0),
      compression: z.string(),
    }),
  ),
  scannedRecords: z.number(),
  unreadable: z.array(z.object({ baseOffset: z.number(), lastOffset: z.number(), reason: z.string() })),
  nextOffset: z.number().nullable(),
  stopped: z.enum(['end', 'limit', 'bytes', 'scanned', 'time']),
});
const problemSchema = z.object({ code: z.string(), message: z.string() });

export type Answer = z.infer<typeof answerSchema>;
export type BrowsedRecord = Answer['records'][number];
export type Content = z.infer<typeof contentSchema>;

/** The agent answered, and refused. */
export class AgentRefusal extends Error {
  override readonly name = 'AgentRefusal';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** No answer came. The browser does not tell a page why. */
export class AgentUnreachable extends Error {
  override readonly name = 'AgentUnreachable';
  readonly url: string;
  /** This page's own policy did not let the request out. */
  readonly isBlockedByPage: boolean;

  constructor(url: string, isBlockedByPage: boolean) {
    super(`No response from ${url}`);
    this.url = url;
    this.isBlockedByPage = isBlockedByPage;
  }
}

const TIMEOUT_MS = 25_000;

/** @throws AgentRefusal, AgentUnreachable */
export async function askAgent(url: string, token: string, question: Question): Promise<Answer> {
  let isBlockedByPage = false;
  const note = (event: SecurityPolicyViolationEvent) => {
    isBlockedByPage ||= event.effectiveDirective === 'connect-src' && event.blockedURI.startsWith(url);
  };
  document.addEventListener('securitypolicyviolation', note);
  try {
    const response = await fetch(`${url}/v1/records`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(question),
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body: unknown = await response.json();
    if (response.ok) return answerSchema.parse(body);
    const problem = problemSchema.safeParse(body);
    throw problem.success
      ? new AgentRefusal(problem.data.code, problem.data.message)
      : new AgentRefusal('unknown', `The agent returned HTTP status ${response.status}.`);
  } catch (error) {
    if (error instanceof AgentRefusal) throw error;
    if (error instanceof z.ZodError) throw new AgentRefusal('unknown', 'The agent returned an unexpected response.');
    // The report of a violation comes as a task of its own, after the failure.
    await new Promise((resolve) => setTimeout(resolve, 0));
    throw new AgentUnreachable(url, isBlockedByPage);
  } finally {
    document.removeEventListener('securitypolicyviolation', note);
  }
}
