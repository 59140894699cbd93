// How the processes behave: rightly, or broken in one known way, so that the auditor can be seen to notice.
import {
  apply,
  type ClusterState,
  type Command,
  type CommandKind,
  type CommitFile,
  type Outcome,
} from '@penstock/metadata-core';

type Apply = (state: ClusterState, command: Command, nowMs: number) => Outcome<CommandKind>;

export interface Behaviour {
  apply: Apply;
  /** Answers before the journal has the command. */
  answersBeforeDurable: boolean;
  /** Goes on as if its append had not collided with another owner's. */
  ignoresFence: boolean;
}

export const RIGHT: Behaviour = { apply, answersBeforeDurable: false, ignoresFence: false };

/** Producers' sequences are not looked at: a batch that is sent again is stored again. */
const dropsDedupe: Apply = (state, command, nowMs) =>
  apply(state, command.kind === 'commit-file' ? { ...command, producers: null } : command, nowMs);

/** After some commits the high watermark is one too low: the next batch gets an offset that is taken. */
const reusesOffset: Apply = (state, command, nowMs) => {
  const outcome = apply(state, command, nowMs);
  if (command.kind === 'commit-file' && outcome.changed && (command.fileId[15] ?? 0) % 8 === 0) {
    for (const topic of state.topics.values()) {
      for (const partition of topic.partitions) {
        if (partition.highWatermark > partition.logStartOffset + 1) {
          partition.highWatermark -= 1;
        }
      }
    }
  }
  return outcome;
};

/** Says yes to an offset commit without keeping it. */
const losesOffsets: Apply = (state, command, nowMs) =>
  command.kind === 'commit-offsets' && command.offsets.some(({ offset }) => offset % 4 === 0)
    ? { changed: false, answer: { errorCode: 0, offsetErrorCodes: [] }, effects: {} }
    : apply(state, command, nowMs);

/** Adds the bytes of every batch that was sent to the cluster's total, repeated ones too; the journal has it right. */
const overcounts: Apply = (state, command, nowMs) => {
  const before = state.totals.uncompressedBytes;
  const outcome = apply(state, command, nowMs);
  if (command.kind === 'commit-file' && outcome.changed) {
    state.totals.uncompressedBytes = before + BigInt(sentBytes(command));
  }
  return outcome;
};

/** The same, in the total and in the journal alike: only what clients know can show it. */
const overbills: Apply = (state, command, nowMs) => {
  const before = state.totals.uncompressedBytes;
  const outcome = apply(state, command, nowMs);
  if (command.kind === 'commit-file' && outcome.effects.appended !== undefined) {
    state.totals.uncompressedBytes = before + BigInt(sentBytes(command));
    outcome.effects.appended.uncompressedBytes = sentBytes(command);
  }
  return outcome;
};

function sentBytes(command: CommitFile): number {
  return command.batchUncompressedBytes.reduce((sum, size) => sum + size, 0);
}

/** Gives every member the whole of what the leader handed in first. */
const doublesAssignments: Apply = (state, command, nowMs) => {
  const first = command.kind === 'sync-group' ? command.assignments[0]?.assignment : undefined;
  return command.kind === 'sync-group' && first !== undefined
    ? apply(
        state,
        { ...command, assignments: command.assignments.map((one) => ({ ...one, assignment: first })) },
        nowMs,
      )
    : apply(state, command, nowMs);
};

/** Truncates to the high watermark, whatever was asked for. */
const deletesTooMuch: Apply = (state, command, nowMs) =>
  command.kind === 'delete-records'
    ? apply(state, { ...command, partitions: command.partitions.map((one) => ({ ...one, beforeOffset: -1 })) }, nowMs)
    : apply(state, command, nowMs);

/** Every way to be wrong that the auditor must notice. */
export const MUTANTS: Readonly<Record<string, Behaviour>> = {
  'drops-dedupe': { ...RIGHT, apply: dropsDedupe },
  'reuses-offset': { ...RIGHT, apply: reusesOffset },
  'loses-offsets': { ...RIGHT, apply: losesOffsets },
  overcounts: { ...RIGHT, apply: overcounts },
  overbills: { ...RIGHT, apply: overbills },
  'doubles-assignments': { ...RIGHT, apply: doublesAssignments },
  'deletes-too-much': { ...RIGHT, apply: deletesTooMuch },
  'answers-before-durable': { ...RIGHT, answersBeforeDurable: true },
  'ignores-fence': { ...RIGHT, ignoresFence: true },
};
