// The format of job plans, which agents carry from the owner that hands a job out to the owner that completes it.

import type { JobOrder } from '../merging/job-order.ts';
import type { Id } from '../model/ids.ts';
import { open, seal } from './envelope.ts';
import { boolean, id, list, record, text, unsigned } from './field.ts';

const VERSION = 1;

export interface JobPlan {
  clusterId: string;
  agentId: string;
  jobId: Id;
  /** By the service's clock. */
  expiresAtMs: number;
  order: JobOrder;
}

const column = list(unsigned);
const codec = record<JobPlan>({
  clusterId: text,
  agentId: text,
  jobId: id,
  expiresAtMs: unsigned,
  order: record<JobOrder>({
    level: unsigned,
    isCompaction: boolean,
    sourceFileIds: list(id),
    topicIds: list(id),
    targetTopic: column,
    targetPartition: column,
    targetBaseOffset: column,
    targetEndOffset: column,
    targetSourceBytes: column,
  }),
});

export function encodeJobPlan(plan: JobPlan): Uint8Array {
  return seal(VERSION, (to) => codec.write(to, plan));
}

/** @throws CorruptDataError when these are not the bytes of a plan that this release knows */
export function decodeJobPlan(bytes: Uint8Array): JobPlan {
  return open('job plan', VERSION, bytes, (from) => codec.read(from));
}
