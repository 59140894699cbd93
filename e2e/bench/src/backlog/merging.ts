// Brings a bucket within minutes to the state that merging leaves an hour after the last record.
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { MINUTE_MS } from '@penstock/units';
import type { RunningAgent, RunningSystem } from '../../../../infra/local/system.ts';
import { cpuSeconds } from '../process-usage.ts';
import { completedJobs, objectRequests, processId } from '../servers.ts';

const MIB = 2 ** 20;
const POLL_MS = 1_000;
/** Both levels, and the minute for which old files are kept. */
const LONGEST_MERGING_MS = 15 * MINUTE_MS;
/** One flushed file may wait for others, and merged files have an index. */
const LEFT_UNMERGED = 0.05;

/** Number of files, and their bytes. */
export interface BucketContent {
  files: number;
  bytes: number;
}

/** CPU time of an agent that only ran jobs: its whole process, including requests and file bytes. */
export interface JobCost {
  jobs: number;
  cpuS: number;
  puts: number;
  gets: number;
  landingGets: number;
  readBytes: number;
  writtenBytes: number;
}

/** The data files' folder in a system on local storage. */
export function objectsFolder(home: string): string {
  return join(home, 'objects');
}

/** The data files below a folder. */
export async function bucketContent(folder: string): Promise<BucketContent> {
  const names = await listBelow(folder);
  let [files, bytes] = [0, 0];
  for (const name of names.filter((each) => each.endsWith('.batches'))) {
    // A listed file may have been deleted since.
    const found = await stat(join(folder, name)).catch(() => undefined);
    files += found === undefined ? 0 : 1;
    bytes += found?.size ?? 0;
  }
  return { files, bytes };
}

/** All names below a folder. A folder may disappear with its last file while it is listed; the listing then begins anew. */
async function listBelow(folder: string): Promise<string[]> {
  for (;;) {
    try {
      return await readdir(folder, { recursive: true });
    } catch (error) {
      const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!isGone || !existsSync(folder)) {
        throw error;
      }
    }
  }
}

/** Waits until a window begins: files committed before it closes are merged together. Returns when it closes. */
export async function windowBegins(windowMs: number): Promise<number> {
  const waitMs = windowMs - (Date.now() % windowMs);
  await setTimeout(waitMs);
  return windowCloses(windowMs);
}

/** When the present window closes. */
export function windowCloses(windowMs: number): number {
  return Math.floor(Date.now() / windowMs) * windowMs + windowMs;
}

/** @throws Error if the window that closes then has closed: two jobs would merge what one should */
export function assertOpen(closesAtMs: number, windowMs: number): void {
  if (Date.now() >= closesAtMs) {
    throw new Error(
      `Writing took longer than the window of ${windowMs / 1_000} s: two jobs would merge what one should`,
    );
  }
}

/** Returns the resources that an agent that only runs jobs has used so far. */
export async function jobCost(agent: RunningAgent): Promise<JobCost> {
  const [{ puts, gets, landingGets }, { jobs, read, written }] = [
    await objectRequests(agent),
    await completedJobs(agent),
  ];
  const cpuS = await cpuSeconds(processId(agent));
  return { jobs, cpuS, puts, gets, landingGets, readBytes: read, writtenBytes: written };
}

export function costBetween(before: JobCost, after: JobCost): JobCost {
  return {
    jobs: after.jobs - before.jobs,
    cpuS: after.cpuS - before.cpuS,
    puts: after.puts - before.puts,
    gets: after.gets - before.gets,
    landingGets: after.landingGets - before.landingGets,
    readBytes: after.readBytes - before.readBytes,
    writtenBytes: after.writtenBytes - before.writtenBytes,
  };
}

export interface MergeProgress {
  level1: number;
  level2: number;
  open: number;
  mergedBytes: number;
}

export async function progressOf(system: RunningSystem): Promise<MergeProgress> {
  const [metadata] = system.metadata;
  const text = await (await fetch(`${metadata?.httpUrl}/metrics`)).text();
  const value = (sample: string): number => {
    const line = text.split('\n').find((each) => each.startsWith(sample));
    return line === undefined ? 0 : Number(line.split(' ').at(-1));
  };
  const applied = (level: number): number => {
    const samples = text.split('\n').filter((line) => line.startsWith('penstock_metadata_merge_jobs_total{'));
    const ofLevel = samples.filter((line) => line.includes('event="applied"') && line.includes(`level="${level}"`));
    return ofLevel.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };
  return {
    level1: applied(1),
    level2: applied(2),
    open: value('penstock_metadata_merge_jobs_open '),
    mergedBytes: value('penstock_metadata_merged_bytes_total '),
  };
}

/**
 * Waits until the whole bucket is merged at both levels and the old files are gone.
 * @param batchBytes the bytes in all batches of the bucket
 * @throws Error if it takes longer than a quarter of an hour
 */
export async function untilMerged(
  system: RunningSystem,
  folder: string,
  batchBytes: number,
): Promise<MergeProgress & BucketContent> {
  const startedMs = Date.now();
  for (;;) {
    const [progress, content] = [await progressOf(system), await bucketContent(folder)];
    const isMerged = progress.open === 0 && progress.mergedBytes >= 2 * batchBytes * (1 - LEFT_UNMERGED);
    if (isMerged && content.bytes <= batchBytes * (1 + LEFT_UNMERGED)) {
      return { ...progress, ...content };
    }
    if (Date.now() - startedMs > LONGEST_MERGING_MS) {
      const merged = `${progress.level1} jobs of level 1 and ${progress.level2} of level 2`;
      throw new Error(
        `Merging did not end: ${merged}, ${progress.open} open; ${Math.round(progress.mergedBytes / MIB)} MiB merged of twice ${Math.round(batchBytes / MIB)}; ${content.files} files of ${Math.round(content.bytes / MIB)} MiB`,
      );
    }
    await setTimeout(POLL_MS);
  }
}
