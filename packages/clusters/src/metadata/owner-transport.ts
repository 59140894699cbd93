// A transport to the metadata process that owns a virtual cluster, which every request of AdminService names.
import { Code, ConnectError, type StreamResponse, type Transport } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import { AdminService, OUTCOME_UNKNOWN_HEADER, OWNER_URL_HEADER } from '@penstock/metadata-protocol';
import type { RootSecrets } from '@penstock/platform';
import { type AdminTlsFiles, connectionOptions } from './admin-tls.ts';
import { MetadataSessions } from './metadata-sessions.ts';
import { signCalls } from './sign-calls.ts';

/** A call by its name in the contract. */
export interface Method {
  readonly name: string;
}

export interface OwnerTransportOptions {
  /** Base URLs of the metadata service's ports for the control plane. Any process can name the owner of a cluster. */
  urls: readonly string[];
  /** Sign the token of each call. The service has the same. */
  keys: RootSecrets;
  /** The time that dates tokens: the database's, as in the service. Absent: this machine's. */
  nowMs?: (() => Promise<number>) | undefined;
  /** For https URLs. Absent: the authorities that Node trusts, and no certificate of our own. */
  tls?: AdminTlsFiles | undefined;
  /** Timeout of an attempt of a unary call that sets none itself. */
  callTimeoutMs: number;
  /** Translates the error of a call that was not answered. */
  explain(error: ConnectError, method: Method): Error;
}

export interface OwnerTransport {
  transport: Transport;
  /** Closes all open connections. */
  close(): void;
}

/** Tries each process once, then the owner that they name, and once more in case the ownership moved meanwhile. */
const EXTRA_ATTEMPTS = 2;

const { method: calls } = AdminService;
/** Calls that change nothing. Any other is a change: it is sent again only if it certainly had no effect. */
const READS: ReadonlySet<string> = new Set(
  [
    calls.getClusterView,
    calls.watchClusterView,
    calls.adminListTopics,
    calls.adminListGroups,
    calls.adminListAgents,
    calls.adminListUsers,
    calls.adminListAcls,
    calls.adminListQuotas,
    calls.adminListOffsets,
    calls.adminDescribeSecurity,
    calls.adminListTransactions,
  ].map(({ name }) => name),
);

/** Node's codes of a connection that was never made, so nothing was sent. */
const NOT_CONNECTED: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

function nodeCodeOf({ cause }: ConnectError): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
}

/** Answers about the cluster or the request, which any process would give, and calls that the caller gave up. */
const FINAL: ReadonlySet<Code> = new Set([
  Code.NotFound,
  Code.InvalidArgument,
  Code.FailedPrecondition,
  Code.AlreadyExists,
  Code.OutOfRange,
  Code.Canceled,
]);
/** A process refuses our tokens: its keys or its clock differ from ours. Other processes may differ from it. */
const TOKEN_REFUSED: ReadonlySet<Code> = new Set([Code.Unauthenticated, Code.PermissionDenied]);
/** Answers after which the owner may have changed, or answer after all. */
const PASSING: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Aborted]);

/** Whether another process may answer, and the call cannot have taken effect yet unless it is a read. */
function mayBeSentAgain(error: ConnectError, method: Method): boolean {
  if (TOKEN_REFUSED.has(error.code) || error.code === Code.Unimplemented) {
    return true;
  }
  if (READS.has(method.name)) {
    return !FINAL.has(error.code);
  }
  if (error.code !== Code.Unavailable || error.metadata.has(OUTCOME_UNKNOWN_HEADER)) {
    return false;
  }
  const nodeCode = nodeCodeOf(error);
  return nodeCode === undefined || NOT_CONNECTED.has(nodeCode);
}

/** How much an error says about the call. The owner's answer counts most, a process that knows us counts more than one that does not. */
function weightOf(error: ConnectError, isOwner: boolean): number {
  if (isOwner && !PASSING.has(error.code)) {
    return 2;
  }
  return TOKEN_REFUSED.has(error.code) ? 0 : 1;
}

function clusterOf(message: object): string {
  return 'clusterId' in message ? String(message.clusterId) : '';
}

async function onlyMessage<Message>(input: AsyncIterable<Message>): Promise<Message> {
  for await (const message of input) {
    return message;
  }
  throw new Error('a call without a request');
}

/** Connects with the first call. */
export function createOwnerTransport(options: OwnerTransportOptions): OwnerTransport {
  const { urls, keys, nowMs, tls, callTimeoutMs, explain } = options;
  const endpoints = new Map<string, { transport: Transport; sessions: MetadataSessions }>();
  /** The last known owner of each cluster, which is tried first. */
  const ownerUrls = new Map<string, string>();

  function transportAt(url: string): Transport {
    let endpoint = endpoints.get(url);
    if (endpoint === undefined) {
      const sessions = new MetadataSessions(url, undefined, tls === undefined ? undefined : connectionOptions(tls));
      const transport = createConnectTransport({
        baseUrl: url,
        httpVersion: '2',
        sessionManager: sessions,
        interceptors: [signCalls(keys, nowMs)],
      });
      endpoint = { transport, sessions };
      endpoints.set(url, endpoint);
    }
    return endpoint.transport;
  }

  /** The order in which to try processes. Grows when an answer names the owner. */
  function* candidates(
    clusterId: string,
    hint: { ownerUrl: string | null },
  ): Generator<{ url: string; isOwner: boolean }> {
    const asked: string[] = [];
    const remembered = ownerUrls.get(clusterId);
    if (remembered !== undefined) {
      yield { url: remembered, isOwner: false };
    }
    for (let attempt = 0; attempt < urls.length + EXTRA_ATTEMPTS; attempt += 1) {
      const named = hint.ownerUrl;
      hint.ownerUrl = null;
      const next = named ?? urls.find((url) => !asked.includes(url)) ?? urls[attempt % urls.length];
      if (next === undefined) {
        return;
      }
      asked.push(next);
      yield { url: next, isOwner: named !== null };
    }
  }

  async function callOwner<Answer>(
    method: Method,
    clusterId: string,
    call: (transport: Transport) => Promise<Answer>,
  ): Promise<Answer> {
    const hint: { ownerUrl: string | null } = { ownerUrl: null };
    let gravest = {
      weight: -1,
      error: new ConnectError('no process of the metadata service is configured', Code.Unavailable),
    };
    for (const { url, isOwner } of candidates(clusterId, hint)) {
      try {
        const answer = await call(transportAt(url));
        ownerUrls.set(clusterId, url);
        return answer;
      } catch (thrown) {
        const error = ConnectError.from(thrown);
        const weight = weightOf(error, isOwner);
        ownerUrls.delete(clusterId);
        if (!mayBeSentAgain(error, method)) {
          throw explain(error, method);
        }
        if (weight >= gravest.weight) {
          gravest = { weight, error };
        }
        if (isOwner && !PASSING.has(error.code)) {
          break;
        }
        hint.ownerUrl = error.metadata.get(OWNER_URL_HEADER);
      }
    }
    throw explain(gravest.error, method);
  }

  const transport: Transport = {
    unary: (method, signal, timeoutMs, header, input, contextValues) =>
      callOwner(method, clusterOf(input), (owner) =>
        owner.unary(method, signal, timeoutMs ?? callTimeoutMs, header, input, contextValues),
      ),

    stream: async (method, signal, timeoutMs, header, input, contextValues) => {
      // No call of AdminService streams requests: there is one.
      const request = await onlyMessage(input);
      const clusterId = clusterOf(request);
      const { response, answers, first } = await callOwner(method, clusterId, async (owner) => {
        const replay = (async function* () {
          yield request;
        })();
        const opened = await owner.stream(method, signal, timeoutMs, header, replay, contextValues);
        const iterator = opened.message[Symbol.asyncIterator]();
        // Only the first answer shows whether this process is the owner.
        return { response: opened, answers: iterator, first: await iterator.next() };
      });
      const message = (async function* () {
        try {
          for (let answer = first; answer.done !== true; answer = await answers.next()) {
            yield answer.value;
          }
        } catch (error) {
          ownerUrls.delete(clusterId);
          throw explain(ConnectError.from(error), method);
        } finally {
          await answers.return?.();
        }
      })();
      return { ...response, message } satisfies StreamResponse<typeof method.input, typeof method.output>;
    },
  };

  return {
    transport,
    close: () => {
      for (const { sessions } of endpoints.values()) {
        sessions.abort();
      }
      endpoints.clear();
    },
  };
}
