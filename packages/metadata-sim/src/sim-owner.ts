// One metadata process that owns (or believes to own) the cluster: applies, makes durable, then answers. It keeps the owner's
// contract of metadata-core in the smallest possible way, with a place to fail at each step.
import {
  type ClusterState,
  type Command,
  type CommandKind,
  createState,
  decodeEntry,
  decodeSnapshot,
  type Effects,
  encodeEntry,
  encodeSnapshot,
  type JoinAnswer,
  meterOf,
  type Outcome,
  type SyncAnswer,
} from '@penstock/metadata-core';
import {
  type ClusterIdentity,
  Fenced,
  HistoryLost,
  JOURNAL_START,
  type Journal,
  type JournalPosition,
  joinParts,
  positionAfter,
} from '@penstock/metadata-journal';
import type { Behaviour } from './behaviour.ts';

/** What a caller hears: the answer, or nothing (it must ask again, or give up). */
export type Heard<A> = { kind: 'answer'; answer: A } | { kind: 'silence' };

interface Pending {
  command: Command;
  effects: Effects;
  deliver: () => void;
  silence: () => void;
  changed: boolean;
}

interface ParkedCall {
  answer: (answer: JoinAnswer | SyncAnswer) => void;
  silence: () => void;
}

/** Where a flush may end. */
export type FlushFate = 'completes' | 'crashes-before-append' | 'crashes-after-append';

export class SimOwner {
  readonly name: string;
  readonly #cluster: ClusterIdentity;
  readonly #journal: Journal;
  readonly #behaviour: Behaviour;
  #state: ClusterState | null = null;
  #position = JOURNAL_START;
  #batchNowMs: number | null = null;
  #pending: Pending[] = [];
  readonly #parked = new Map<string, ParkedCall>();

  constructor(name: string, cluster: ClusterIdentity, journal: Journal, behaviour: Behaviour) {
    this.name = name;
    this.#cluster = cluster;
    this.#journal = journal;
    this.#behaviour = behaviour;
  }

  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  get lastSeq(): number {
    return this.#position.seq;
  }

  /** The state in memory, recovered first if need be. It may be ahead of the journal, and stale. */
  async state(): Promise<ClusterState> {
    if (this.#state === null) {
      const { state, position } = await recover(this.#cluster.clusterId, this.#journal, this.#behaviour);
      this.#state = state;
      this.#position = position;
    }
    return this.#state;
  }

  /** Takes a command in; `hear` is called after a later flush, or with silence after a crash. */
  async submit<A>(command: Command, nowMs: number, hear: (heard: Heard<A>) => void): Promise<void> {
    const state = await this.state();
    this.#batchNowMs ??= nowMs;
    const outcome = this.#behaviour.apply(state, command, this.#batchNowMs);
    let open = true;
    const once = (heard: Heard<A>): void => {
      if (open) {
        open = false;
        hear(heard);
      }
    };
    const answer = outcome.answer as A;
    const silence = (): void => once({ kind: 'silence' });
    const waitsAs = waitingMember(outcome.answer);
    if (waitsAs !== null && (command.kind === 'join-group' || command.kind === 'sync-group')) {
      const key = parkingPlace(command.kind, command.groupId, waitsAs);
      this.#parked.get(key)?.silence();
      this.#parked.set(key, {
        answer: (given) => once({ kind: 'answer', answer: { waiting: false, ...given } as A }),
        silence,
      });
    }
    const deliver = (): void => {
      if (waitsAs === null) {
        once({ kind: 'answer', answer });
      }
    };
    if (this.#behaviour.answersBeforeDurable) {
      deliver();
    }
    this.#pending.push({ command, effects: outcome.effects, deliver, silence, changed: outcome.changed });
  }

  /** Appends what is pending and answers it. Returns what happened, for the trace. */
  async flush(fate: FlushFate): Promise<string> {
    const batch = this.#pending;
    if (fate === 'crashes-before-append' || this.#batchNowMs === null) {
      this.crash();
      return 'crashed before the append';
    }
    const changed = batch.filter((one) => one.changed);
    if (changed.length > 0) {
      const commands = changed.map(({ command }) => command);
      const meter = meterOf(changed.map(({ effects }) => effects));
      const entry = encodeEntry({ nowMs: this.#batchNowMs, commands, meter });
      try {
        this.#position = await this.#journal.append(this.#cluster, this.#position, entry);
      } catch (error) {
        if (this.#behaviour.ignoresFence && (error instanceof Fenced || error instanceof HistoryLost)) {
          this.#position = positionAfter(this.#position, entry);
        } else if (error instanceof Fenced) {
          this.crash();
          return 'fenced';
        } else {
          throw error;
        }
      }
    }
    if (fate === 'crashes-after-append') {
      this.crash();
      return `appended ${changed.length}, crashed before the answers`;
    }
    this.#pending = [];
    this.#batchNowMs = null;
    for (const { effects, deliver } of batch) {
      this.#release(effects);
      deliver();
    }
    return `appended ${changed.length}`;
  }

  /** Saves the state, which must be durable: call it with nothing pending. */
  async snapshot(): Promise<void> {
    const state = await this.state();
    if (this.#position.seq > 0) {
      await this.#journal.writeSnapshot(this.#cluster.clusterId, this.#position, [encodeSnapshot(state)]);
    }
  }

  /** The process dies: memory is gone, nobody gets an answer. */
  crash(): void {
    const lost = [
      ...this.#pending.map(({ silence }) => silence),
      ...[...this.#parked.values()].map(({ silence }) => silence),
    ];
    this.#state = null;
    this.#pending = [];
    this.#batchNowMs = null;
    this.#parked.clear();
    for (const silence of lost) {
      silence();
    }
  }

  /** Answers the parked calls that a durable command released. */
  #release(effects: Effects): void {
    for (const { groupId, joined, synced } of effects.groups ?? []) {
      for (const { answerTo, answer } of joined) {
        this.#answerParked(parkingPlace('join-group', groupId, answerTo), answer);
      }
      for (const { answerTo, answer } of synced) {
        this.#answerParked(parkingPlace('sync-group', groupId, answerTo), answer);
      }
    }
  }

  #answerParked(key: string, answer: JoinAnswer | SyncAnswer): void {
    const call = this.#parked.get(key);
    this.#parked.delete(key);
    call?.answer(answer);
  }
}

/** The member id under which a call waits; null when it has its answer. */
function waitingMember(answer: Outcome<CommandKind>['answer']): string | null {
  return 'waiting' in answer && answer.waiting ? answer.memberId : null;
}

function parkingPlace(kind: 'join-group' | 'sync-group', groupId: string, memberId: string): string {
  return `${kind} ${groupId} ${memberId}`;
}

/** The state that the journal holds: newest snapshot, then the entries after it. */
export async function recover(
  clusterId: string,
  journal: Journal,
  behaviour: Behaviour,
): Promise<{ state: ClusterState; position: JournalPosition }> {
  const snapshot = await journal.readSnapshot(clusterId);
  const state = snapshot === undefined ? createState(clusterId) : decodeSnapshot(await joinParts(snapshot.parts));
  let position: JournalPosition = snapshot?.position ?? JOURNAL_START;
  for await (const { seq, hash, bytes } of journal.read(clusterId, position)) {
    const { nowMs, commands } = decodeEntry(bytes);
    for (const command of commands) {
      behaviour.apply(state, command, nowMs);
    }
    position = { seq, hash };
  }
  return { state, position };
}
