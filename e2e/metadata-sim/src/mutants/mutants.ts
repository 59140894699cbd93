// Ways to be wrong, one line each, that the simulation must notice. Each is the service's own code with one place changed.
import type { Emphasis } from '../simulation.ts';

/** One place of the service's code, changed. */
export interface SourceChange {
  name: string;
  /** From the root of the repository. */
  file: string;
  from: string;
  to: string;
}

export interface Mutant extends SourceChange {
  /** The promise that it breaks. */
  promise: string;
  /** A change of the only other code that would prevent the fault. */
  guard?: SourceChange;
  /** An activity that its histories always include, because otherwise only a few seeds could detect it. */
  emphasis?: Emphasis;
}

const OWNERS = 'apps/metadata/src/owners';
const CORE = 'packages/metadata-core/src';

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'answers-before-durable',
    promise: 'what is acknowledged is in the journal',
    file: `${OWNERS}/committer.ts`,
    from: `    const { answer } = this.apply(command, client);
    await this.#options.pipeline.whenDurable();
    return answer;`,
    to: '    const { answer } = this.apply(command, client); return answer;',
  },
  {
    name: 'reads-before-durable',
    promise: 'what was read stays',
    file: `${OWNERS}/committer.ts`,
    from: `    const answer = question(this.#options.state);
    await this.#options.pipeline.whenDurable();`,
    to: '    const answer = question(this.#options.state);',
  },
  {
    name: 'reads-without-lease',
    promise: 'reads are linearizable',
    file: `${OWNERS}/committer.ts`,
    from: `  async read<Answer>(question: (state: ClusterState) => Answer): Promise<Answer> {
    this.requireOwner();`,
    to: `  async read<Answer>(question: (state: ClusterState) => Answer): Promise<Answer> {
    this.requireOpen();`,
  },
  {
    name: 'ignores-fence',
    promise: 'a collision ends the owner that was overtaken',
    file: `${OWNERS}/commit-pipeline.ts`,
    from: 'this.#options.onFailed(cause);\n      return;',
    to: `if ((cause as Error).name !== 'Fenced') { this.#options.onFailed(cause); return; } position = { ...previous, seq: previous.seq + 1 }; entryBytes = 1;`,
  },
  {
    name: 'goes-on-after-uncertain-append',
    promise: 'an append of unknown outcome ends the owner',
    file: `${OWNERS}/commit-pipeline.ts`,
    from: 'this.#options.onFailed(cause);\n      return;',
    to: `if ((cause as Error).name !== 'AppendUncertain') { this.#options.onFailed(cause); return; } position = { ...previous, seq: previous.seq + 1 }; entryBytes = 1;`,
  },
  {
    name: 'publishes-before-durable',
    promise: 'watchers see what is durable',
    file: `${OWNERS}/commit-pipeline.ts`,
    from: 'position = await this.#options.journal.append(',
    to: 'this.#options.onDurable(effects, 1); position = await this.#options.journal.append(',
  },
  {
    name: 'opens-without-marker',
    promise: 'a new owner shuts the one before out',
    file: `${OWNERS}/recovery.ts`,
    from: 'recovered.position = await journal.append(cluster, recovered.position, encodeEntry({ nowMs, rules, commands }));\n      for (const command of commands)',
    to: 'for (const command of [] as Command[])',
  },
  {
    name: 'drops-dedupe',
    promise: 'a batch of an idempotent producer is stored once',
    file: `${CORE}/state/producer-table.ts`,
    from: 'return readWide(page, at + BASE_OFFSETS + place * 2);\n      }',
    to: 'return APPEND;\n      }',
  },
  {
    name: 'accepts-sequence-gaps',
    promise: 'batches of an idempotent producer keep their order',
    file: `${CORE}/state/producer-table.ts`,
    from: 'return count === 0 || firstSequence === first ? APPEND : OUT_OF_ORDER;',
    to: 'return APPEND;',
  },
  {
    name: 'reuses-offsets',
    promise: 'an offset has one batch',
    file: `${CORE}/state/partition.ts`,
    from: 'partition.highWatermark = baseOffset + records;',
    to: 'partition.highWatermark = baseOffset + records - (records > 4 && file % 8 === 0 ? 1 : 0);',
  },
  {
    name: 'truncates-too-much',
    promise: 'truncation drops what was asked for and no more',
    file: `${CORE}/commands/delete-records.ts`,
    from: 'truncateBefore(partition, before, state.files, nowMs);',
    to: 'truncateBefore(partition, highWatermark, state.files, nowMs);',
  },
  {
    name: 'takes-live-files',
    promise: 'no live object is deleted',
    file: `${CORE}/state/file-table.ts`,
    from: `    page[at + LIVE_BYTES] = liveBytes;
    if (runs === 0) {`,
    to: `    page[at + LIVE_BYTES] = liveBytes;
    if (runs === 1) {`,
  },
  {
    name: 'deletes-without-grace',
    promise: 'a reader finds what it was sent to',
    file: `${CORE}/state/file-table.ts`,
    from: 'deadSinceMs + DELETION_GRACE_MS > nowMs',
    to: 'deadSinceMs > nowMs',
  },
  {
    name: 'knows-no-files',
    promise: 'no live object is deleted',
    file: `${CORE}/queries/cluster.ts`,
    from: 'return fileIds.map((fileId) => state.files.knows(fileId));',
    to: 'return fileIds.map((fileId) => state.files.knows(fileId) && (fileId[15] ?? 0) % 4 !== 0);',
  },
  {
    name: 'loses-committed-offsets',
    promise: 'committed offsets stay',
    file: `${OWNERS}/committer.ts`,
    from: 'outcome = apply(this.#options.state, command, nowMs);',
    to: `outcome = command.kind === 'commit-offsets' && command.offsets.some(({ offset }) => offset % 8 === 0)
        ? ({ changed: false, answer: { errorCode: 0, offsetErrorCodes: [] }, effects: {} } as never)
        : apply(this.#options.state, command, nowMs);`,
  },
  {
    name: 'doubles-assignments',
    promise: 'a partition has one member in a generation',
    file: `${CORE}/commands/sync-group.ts`,
    from: 'assignment: byMember.get(member.memberId) ?? new Uint8Array(0) }',
    to: 'assignment: command.assignments[0]?.assignment ?? new Uint8Array(0) }',
  },
  {
    name: 'forgets-static-members',
    promise: 'a static member that restarts keeps its place',
    file: `${CORE}/commands/join-group.ts`,
    from: 'const member: Member = { ...old, memberId: command.newMemberId };',
    to: 'const member: Member = { ...old, memberId: command.newMemberId, assignment: new Uint8Array(0) };',
  },
  {
    name: 'bills-duplicates',
    promise: 'a stored byte is billed once',
    file: `${CORE}/commands/commit-file.ts`,
    from: 'this.#baseOffsets[batch] = verdict;',
    to: 'this.#baseOffsets[batch] = verdict; this.appended.uncompressedBytes += this.#command.batchUncompressedBytes[batch] ?? 0;',
  },
  {
    name: 'reuses-producer-ids',
    promise: 'a producer id is given once',
    file: `${CORE}/commands/init-producer-id.ts`,
    from: 'state.nextProducerId += 1;',
    to: 'state.nextProducerId += state.nextProducerId % 3 === 0 ? 0 : 1;',
  },
  {
    name: 'snapshot-without-producers',
    promise: 'a snapshot holds the whole state',
    file: `${CORE}/codec/cluster.ts`,
    from: '  nextProducerId: unsigned,',
    to: '  nextProducerId: { write: (to, _value) => unsigned.write(to, 1), read: (from) => unsigned.read(from) },',
  },
  {
    name: 'snapshot-without-groups',
    promise: 'a snapshot holds the whole state',
    file: `${CORE}/codec/snapshot-capture.ts`,
    from: "yield* writer.sections('groups', groupItems(this.#drawGroups()));",
    to: "yield* writer.sections('groups', groupItems([]));",
  },
  {
    name: 'snapshot-without-users',
    emphasis: 'users',
    promise: 'a snapshot holds the whole state',
    file: `${CORE}/codec/snapshot-capture.ts`,
    from: "yield* writer.sections('security', securityItems(security));",
    to: "yield* writer.sections('security', securityItems({ ...security, version: 0 }));",
  },
  {
    name: 'keeps-users-from-agents',
    emphasis: 'users',
    promise: 'every agent is sent the users and ACLs of its cluster',
    file: `${OWNERS}/security-news.ts`,
    from: `    this.#isDue = true;
    if (!this.#isSending) {`,
    to: `    this.#isDue = this.#isSending;
    if (!this.#isSending) {`,
  },
  {
    name: 'snapshot-of-undurable-state',
    promise: 'a snapshot stands where it says',
    file: `${OWNERS}/write-snapshot.ts`,
    from: 'await journal.writeSnapshot(clusterId, position, parts());',
    to: 'await journal.writeSnapshot(clusterId, { ...position, seq: position.seq + 1 }, parts());',
  },
  {
    name: 'trusts-lapsed-leases',
    promise: 'reads are linearizable',
    file: `${OWNERS}/lease-keeper.ts`,
    from: 'isValid: () => this.#kept.get(clusterId) === kept && isBefore(this.#host.now(), kept.validUntil),',
    to: 'isValid: () => this.#kept.get(clusterId) === kept,',
  },
  {
    name: 'keeps-lost-leases',
    promise: 'reads are linearizable',
    file: `${OWNERS}/lease-keeper.ts`,
    from: 'if (!renewal.held.has(clusterId)) {',
    to: 'if (renewal.held.size < 0) {',
  },
  {
    name: 'forgets-file-answers',
    promise: 'a refused batch is not stored',
    file: `${CORE}/commands/commit-file.ts`,
    from: 'const remembered = state.answers.find(command.fileId);',
    to: 'const remembered = state.answers.find(new Uint8Array(16));',
  },
  {
    name: 'accepts-old-epochs',
    promise: 'a new epoch fences the old one',
    file: `${CORE}/state/producer-table.ts`,
    from: `    if (epoch < known) {
      return FENCED;
    }`,
    to: '    if (epoch < known) { return APPEND; }',
  },
  {
    name: 'commits-old-files',
    promise: 'a file that may be collected is not committed',
    file: `${CORE}/commands/commit-file-checks.ts`,
    from: 'if (idTimeMs < nowMs - FILE_ID_MAX_AGE_MS) {',
    to: 'if (idTimeMs < nowMs - 1_000 * FILE_ID_MAX_AGE_MS) {',
  },
  {
    name: 'collects-by-agents-clocks',
    promise: 'no live object is deleted',
    file: 'apps/metadata/src/rpc/known-files.ts',
    from: 'isKnown || isYoung(fileIds[index], limitMs)',
    to: 'isKnown || isYoung(fileIds[index], limitMs + 1e9)',
  },
  {
    name: 'answers-wrong-offset',
    promise: 'a batch lies where its producer was told',
    file: `${CORE}/commands/commit-file.ts`,
    from: '        this.#baseOffsets[batch] = baseOffset;',
    to: '        this.#baseOffsets[batch] = baseOffset + (records > 4 && batch > 1 ? 1 : 0);',
  },
  {
    name: 'meters-too-little',
    promise: 'every stored byte is billed',
    file: `${CORE}/commands/commit-file.ts`,
    from: 'this.appended.uncompressedBytes += doubleAt(batchUncompressedBytes, batch);',
    to: 'this.appended.uncompressedBytes += batch > 2 ? 0 : doubleAt(batchUncompressedBytes, batch);',
  },
  {
    name: 'swaps-without-comparing',
    promise: 'a merged file takes the place of exactly the runs that it was made of',
    file: `${CORE}/commands/replace-runs.ts`,
    from: `    } else {
      return new Misfit('a run lies in another file by now');
    }`,
    to: `    } else if (runEndOffset(partition, runs, row + count) >= endOffset) {
      const rows = { partition, runs, row, count: count + 1, replacedBytes: bytes, grownBytes: 0, newestCommitMs };
      return { ...rows, baseOffset: from, position, bytes, maxTimestampMs: runs.maxTimestampMs(row + count), isOlder: false };
    }`,
  },
  {
    name: 'swaps-over-truncation',
    promise: 'a run whose front was truncated meanwhile begins where its records do',
    file: `${CORE}/commands/replace-runs.ts`,
    from: 'position: position + goneBytes,',
    to: 'position,',
  },
  {
    name: 'shifts-compacted-runs',
    promise: 'a compacted run keeps its offsets, also when its front was truncated meanwhile',
    file: `${CORE}/commands/replace-runs.ts`,
    from: 'return { ...rows, baseOffset, position, bytes, maxTimestampMs: leftMaxMs',
    to: 'return { ...rows, baseOffset: from, position, bytes, maxTimestampMs: leftMaxMs',
  },
  {
    name: 'swaps-without-grace',
    promise: 'a reader finds what it was sent to',
    file: `${CORE}/commands/replace-runs.ts`,
    from: 'files.dropRun(runs.file(at), runs.bytes(at), nowMs);',
    to: 'files.dropRun(runs.file(at), runs.bytes(at), nowMs - 60_000);',
  },
  {
    name: 'refuses-repeated-swaps',
    promise: 'a repeated completion is answered as the first one was',
    file: `${CORE}/commands/replace-runs.ts`,
    from: `  if (known !== undefined && state.files.level(known) > 0) {
    return unchanged({ outcome: 'applied', reason: '' });`,
    to: `  if (known !== undefined && state.files.level(known) > 0) {
    return unchanged({ outcome: 'stale', reason: '', isFinal: true });`,
  },
  {
    name: 'meters-merged-files',
    promise: 'a stored byte is billed once',
    file: `${CORE}/commands/replace-runs.ts`,
    from: '  files.settle(slot, nowMs);',
    to: '  files.settle(slot, nowMs); state.totals.uncompressedBytes += BigInt(bytes);',
  },
  {
    name: 'skips-predecessor-check',
    emphasis: 'lost-tail',
    promise: 'an entry follows on the one that it names',
    file: 'packages/metadata-journal/src/memory/memory-journal.ts',
    from: 'if (!isSamePosition(last, previous)) {',
    to: 'if (last.seq > previous.seq) {',
  },
  {
    name: 'ignores-witnesses',
    emphasis: 'lost-tail',
    promise: 'a lost tail stops the cluster',
    file: `${OWNERS}/witnesses.ts`,
    from: "if (status.kind === 'lost') {",
    to: "if (status.kind === 'lost' && witness === '') {",
  },
  {
    name: 'serves-stopped-clusters',
    emphasis: 'lost-tail',
    promise: 'a cluster that is stopped serves nobody',
    file: `${OWNERS}/history-guard.ts`,
    from: 'if (past.stop !== undefined) {',
    to: 'if (past.stop !== undefined && past.history > 1_000) {',
  },
  {
    name: 'shows-open-transactions',
    emphasis: 'transactions',
    promise: 'a reader at read_committed sees no open transaction',
    file: `${CORE}/state/partition-transactions.ts`,
    from: 'return first === undefined ? highWatermark : Math.max(first, logStartOffset);',
    to: 'return first === undefined ? highWatermark : Math.max(first + 1, logStartOffset);',
  },
  {
    name: 'truncates-aborted-transactions',
    emphasis: 'transactions',
    promise: 'a reader at read_committed sees no aborted transaction, wherever the log starts',
    file: `${CORE}/state/partition-transactions.ts`,
    from: 'findIndex(({ lastOffset }) => lastOffset >= offset)',
    to: 'findIndex(({ firstOffset }) => firstOffset >= offset)',
  },
  {
    name: 'compacts-open-transactions',
    promise: 'what an open transaction wrote replaces nothing',
    emphasis: 'transactions',
    file: `${CORE}/merging/compaction-planner.ts`,
    from: 'return endOffset >= partition.highWatermark ? runs.length : Math.max(0, runs.rowOfOffset(endOffset));',
    to: 'return endOffset < 0 ? 0 : runs.length;',
    guard: {
      name: 'compacts-open-transactions',
      file: `${CORE}/commands/replace-runs.ts`,
      from: 'const stableOffset = lastStableOffset(partition);',
      to: 'const stableOffset = Math.max(partition.highWatermark, lastStableOffset(partition));',
    },
  },
  {
    name: 'forgets-aborted-transactions',
    promise: 'a reader at read_committed sees no aborted transaction, whatever is compacted',
    emphasis: 'transactions',
    file: `${CORE}/commands/replace-runs.ts`,
    from: 'forgetAborted(partition, endOffset);',
    to: 'forgetAborted(partition, endOffset + partition.highWatermark);',
  },
  {
    name: 'names-aborted-transactions-to-one-reader',
    promise: 'a reader at read_committed sees no aborted transaction, whoever asked where its records lie',
    emphasis: 'transactions',
    file: `${CORE}/queries/locate.ts`,
    from: '...bounds, runs, aborted: abortedIn(partition, runs) };',
    to: '...bounds, runs, aborted: abortedIn(partition, runs).filter(({ lastOffset }) => lastOffset >= offset) };',
  },
  {
    name: 'remembers-aborted-transactions',
    promise: 'a reader at read_committed sees what a producer commits after it has aborted',
    emphasis: 'transactions',
    file: `${CORE}/commands/replace-runs.ts`,
    from: 'forgetAborted(partition, endOffset);',
    to: 'forgetAborted(partition, endOffset - partition.highWatermark);',
  },
  {
    name: 'merges-other-markers',
    promise: 'the end of a transaction is the same one before and after it is merged',
    emphasis: 'transactions',
    file: `${CORE}/merging/job-builder.ts`,
    from: 'job.markers.push({ ...marker, timestampMs: runs.maxTimestampMs(row) });',
    to: 'job.markers.unshift({ ...marker, timestampMs: runs.maxTimestampMs(row) });',
  },
  {
    name: 'accepts-late-transactional-batches',
    emphasis: 'transactions',
    promise: 'a batch of an ended transaction is refused',
    file: `${CORE}/transactions/checks.ts`,
    from: 'if (producer.producerEpoch !== producerEpoch) {',
    to: 'if (producer.producerEpoch < producerEpoch) {',
  },
  {
    name: 'commits-offsets-on-abort',
    emphasis: 'transactions',
    promise: 'committed offsets and outputs agree',
    file: `${CORE}/transactions/finish.ts`,
    from: 'if (open !== null && isCommit) {',
    to: 'if (open !== null) {',
  },
  {
    name: 'snapshot-without-transactions',
    emphasis: 'transactions',
    promise: 'a snapshot holds the whole state',
    file: `${CORE}/codec/snapshot-capture.ts`,
    from: "yield* writer.sections('transactions', transactionItems(transactionalProducers, transactions));",
    to: "yield* writer.sections('transactions', transactionItems(transactionalProducers, []));",
  },
  {
    name: 'leaves-transactions-open',
    emphasis: 'transactions',
    promise: 'a transaction that nobody ends is aborted in time',
    file: `${OWNERS}/expiry.ts`,
    from: 'if (deadlineMs !== null && deadlineMs <= this.#options.clock.nowMs()) {',
    to: 'if (deadlineMs !== null && deadlineMs <= 0) {',
  },
  {
    name: 'assigns-before-release',
    emphasis: 'consumer-groups',
    promise: 'a partition has one owner at a time',
    file: `${CORE}/consumer-groups/reconcile.ts`,
    from: 'if (revoking.size > 0 && owns(input.owned, revoking)) {',
    to: 'if (revoking.size > 99) {',
  },
  {
    name: 'ignores-epochs-of-commits',
    emphasis: 'consumer-groups',
    promise: 'only the owner of a partition commits its offsets',
    file: `${CORE}/consumer-groups/offset-checks.ts`,
    from: 'return isCurrent ? ErrorCode.NONE :',
    to: 'return isCurrent || memberEpoch >= 0 ? ErrorCode.NONE :',
  },
  {
    name: 'keeps-bytes-of-dropped-runs',
    promise: 'the stored bytes of a partition are those of its runs',
    file: `${CORE}/state/partition.ts`,
    from: '    partition.storedBytes -= bytes;\n',
    to: '',
  },
  {
    name: 'leaves-dead-files-unqueued',
    promise: 'a file without runs is queued for deletion',
    file: `${CORE}/state/file-table.ts`,
    from: `    page[at + LIVE_BYTES] = liveBytes;
    if (runs === 0) {`,
    to: `    page[at + LIVE_BYTES] = liveBytes;
    if (runs === 0 && bytes < 0) {`,
  },
  {
    name: 'leaves-offsets-uncounted',
    promise: 'the account of committed offsets is what they add up to',
    file: `${CORE}/state/cluster-state.ts`,
    from: '    state.groupMemory.offsets += size.offsets - group.counted.offsets;\n',
    to: '',
  },
];

/** @throws Error when there is none of this name */
export function mutantNamed(name: string): Mutant {
  const mutant = MUTANTS.find((one) => one.name === name);
  if (mutant === undefined) {
    throw new Error(`no such mutant: choose one of ${MUTANTS.map((one) => one.name).join(', ')}`);
  }
  return mutant;
}
