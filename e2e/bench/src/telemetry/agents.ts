// Agents that report every ten seconds, each over its own connection and at its own moment.
import { randomBytes } from 'node:crypto';
import { type ClientHttp2Session, connect } from 'node:http2';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  CLUSTER_HEADER,
  MetadataService,
  ReportTelemetryRequestSchema,
  ReportTelemetryResponseSchema,
} from '@penstock/metadata-protocol';
import { createGate, type Gate } from './gate.ts';
import { makeReport, Random, WINDOW_MS } from './reports.ts';

/** Different reports, created in advance: the load must be cheap compared with what it measures. */
const TEMPLATES = 64;
const zones = ['eu-central-1a', 'eu-central-1b', 'eu-central-1c'];

export interface Fleet {
  /** Pauses reports briefly: shorter than a window, or there are gaps. */
  readonly gate: Gate;
  /** Reports answered so far, and the bytes of their requests. */
  readonly sent: { reports: number; bytes: number };
  /** @throws the first failure of a report */
  stop(): Promise<void>;
}

/** Starts this many agents of one cluster; each sends its first report at its moment within the first window. */
export function startFleet(rpcUrl: string, cluster: { clusterId: string; key: string }, agents: number): Fleet {
  const random = new Random(7);
  const templates = Array.from({ length: TEMPLATES }, () => makeReport(random));
  const sent = { reports: 0, bytes: 0 };
  const gate = createGate();
  const timers = new Set<NodeJS.Timeout>();
  const sessions: ClientHttp2Session[] = [];
  const underWay = new Set<Promise<void>>();
  let failure: unknown;
  let isStopping = false;

  function startAgent(index: number): void {
    const session = connect(rpcUrl);
    session.on('error', (error) => {
      failure ??= error;
    });
    sessions.push(session);
    const incarnationId = randomBytes(16);
    // All agents have run for a window when the first one reports.
    const beganMs = performance.now() - WINDOW_MS + (index / agents) * WINDOW_MS;
    let sequence = 0;
    const report = async (): Promise<void> => {
      sequence += 1;
      const own = sequence;
      await gate.pass();
      const template = templates[Math.floor(random.next() * TEMPLATES)];
      if (template === undefined) {
        throw new Error('no report is made');
      }
      const request = create(ReportTelemetryRequestSchema, {
        incarnationId,
        agentId: `agent-${index}`,
        zone: zones[index % zones.length] ?? '',
        version: '0.1.0',
        sentElapsedMs: BigInt(Math.round(performance.now() - beganMs)),
        reports: [{ ...template, sequence: BigInt(own), startElapsedMs: BigInt((own - 1) * WINDOW_MS) }],
      });
      const body = toBinary(ReportTelemetryRequestSchema, request);
      const answer = fromBinary(ReportTelemetryResponseSchema, await post(session, cluster, body));
      const [refused] = answer.refused;
      if (refused !== undefined) {
        throw new Error(`a report was refused: ${refused.reason}`);
      }
      sent.reports += 1;
      sent.bytes += body.length;
    };
    const schedule = (): void => {
      if (isStopping) {
        return;
      }
      const dueMs = beganMs + (sequence + 1) * WINDOW_MS;
      const timer = setTimeout(
        () => {
          timers.delete(timer);
          const call: Promise<void> = report()
            .catch((error: unknown) => {
              failure ??= error;
            })
            .finally(() => underWay.delete(call));
          underWay.add(call);
          schedule();
        },
        Math.max(0, dueMs - performance.now()),
      );
      timers.add(timer);
    };
    schedule();
  }

  for (let index = 0; index < agents; index += 1) {
    startAgent(index);
  }
  return {
    sent,
    gate,
    async stop() {
      isStopping = true;
      gate.open();
      for (const timer of timers) {
        clearTimeout(timer);
      }
      await Promise.all(underWay);
      for (const session of sessions) {
        session.destroy();
      }
      if (failure !== undefined) {
        throw failure;
      }
    },
  };
}

async function post(
  session: ClientHttp2Session,
  { clusterId, key }: { clusterId: string; key: string },
  body: Uint8Array,
): Promise<Uint8Array> {
  const stream = session.request({
    ':method': 'POST',
    ':path': `/${MetadataService.typeName}/${MetadataService.method.reportTelemetry.name}`,
    'content-type': 'application/proto',
    'connect-protocol-version': '1',
    authorization: `Bearer ${key}`,
    [CLUSTER_HEADER]: clusterId,
  });
  stream.end(body);
  let status = 0;
  stream.once('response', (response) => {
    status = response[':status'] ?? 0;
  });
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (status !== 200) {
    throw new Error(`a report failed with HTTP ${status}: ${bytes.toString()}`);
  }
  return bytes;
}
