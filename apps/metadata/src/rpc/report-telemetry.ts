import type { MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import type { MetadataService } from '@penstock/metadata-protocol';
import type { Refusal, Reporter, ReportStore, WindowReport } from '@penstock/telemetry-store';
import type { AgentIdentity } from '../auth/agent-keys.ts';
import { checkAccess } from '../telemetry/check-access.ts';
import { checkClients } from '../telemetry/check-clients.ts';
import { checkDiagnosis } from '../telemetry/check-diagnosis.ts';
import { checkReport } from '../telemetry/check-report.ts';

const MAX_REPORTS = 30;
/** Ids, zones and versions are short names. */
const MAX_NAME_LENGTH = 256;

type Request = MessageShape<typeof MetadataService.method.reportTelemetry.input>;
type Response = MessageInitShape<typeof MetadataService.method.reportTelemetry.output>;

/** The store that reports go to. */
export type Reports = Pick<ReportStore, 'store' | 'storeDiagnosis' | 'storeAccess' | 'refuse'>;

/** Stores agents' measurements. Needs no owner, because it does not use the cluster's state. */
export async function reportTelemetry(
  store: Reports,
  caller: AgentIdentity,
  request: Request,
  nowMs: () => number,
): Promise<Response> {
  const reporter = reporterOf(caller, request);
  const sentElapsedMs = Number(request.sentElapsedMs);
  const good: WindowReport[] = [];
  const refused: { sequence: bigint; reason: string }[] = [];
  for (const report of request.reports) {
    const checked = checkReport(report, request.sentElapsedMs);
    if (checked.isGood) {
      const { clients, refused: left } = checkClients(report.clients);
      if (left.length > 0) {
        store.refuse(reporter, sentElapsedMs, 'clients', left);
      }
      good.push({ ...checked, clients, leftOutPushes: plausible(report.leftOutPushes) });
    } else {
      refused.push(checked);
      store.refuse(reporter, sentElapsedMs, checked.kind, [checked]);
    }
  }
  const diagnosis = request.diagnosis === undefined ? undefined : checkDiagnosis(request.diagnosis, nowMs());
  if (diagnosis?.isGood === false) {
    store.refuse(reporter, sentElapsedMs, 'diagnosis', [diagnosis]);
  }
  const outcome = await store.store(reporter, sentElapsedMs, good);
  if (diagnosis?.isGood === true) {
    await store.storeDiagnosis(reporter, sentElapsedMs, diagnosis.diagnosis);
  }
  if (request.access !== undefined) {
    const { access, refused: left } = checkAccess(request.access, nowMs());
    if (left.length > 0) {
      store.refuse(reporter, sentElapsedMs, 'access', left);
    }
    await store.storeAccess(reporter, access);
  }
  refused.push(...outcome.refused.map(({ sequence, reason }: Refusal) => ({ sequence: BigInt(sequence), reason })));
  return { serverTimeMs: BigInt(nowMs()), startOver: outcome.hasDrifted, refused };
}

function reporterOf(caller: AgentIdentity, request: Request): Reporter {
  const { incarnationId, agentId, zone, version, sentElapsedMs, reports, access } = request;
  if (incarnationId.length !== 16) {
    throw invalid('incarnation_id has 16 bytes');
  }
  if (agentId === '' || [agentId, zone, version].some((name) => name.length > MAX_NAME_LENGTH)) {
    throw invalid(`agent_id, zone and version have at most ${MAX_NAME_LENGTH} characters, and agent_id at least one`);
  }
  if (reports.length > MAX_REPORTS) {
    throw invalid(`a request carries at most ${MAX_REPORTS} reports`);
  }
  if (sentElapsedMs > MAX_ELAPSED_MS) {
    throw invalid('sent_elapsed_ms is longer than ten years');
  }
  if (access !== undefined && access.revision > MAX_REVISION) {
    throw invalid('access.revision is at most 2^63-1');
  }
  const { clusterId, organizationId } = caller;
  return { clusterId, organizationId, incarnationId: uuidText(incarnationId), agentId, zone, version };
}

function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** More pushes than an agent leaves out of any window; a greater number would only spoil the sum that people see. */
const MAX_LEFT_OUT_PUSHES = 1_000_000n;

function plausible(leftOutPushes: bigint): number {
  return Number(leftOutPushes > MAX_LEFT_OUT_PUSHES ? MAX_LEFT_OUT_PUSHES : leftOutPushes);
}

const MAX_ELAPSED_MS = 315_576_000_000n;
/** Maximum value of PostgreSQL's bigint. */
const MAX_REVISION = 2n ** 63n - 1n;

function invalid(message: string): ConnectError {
  return new ConnectError(message, Code.InvalidArgument);
}
