// JoinGroup and SyncGroup calls that wait for their group. Kept by member, because effects of the state machine name members.
import type { GroupEffect, JoinAnswer, SyncAnswer } from '@penstock/metadata-core';

interface Parked<Answer> {
  resolve: (answer: Answer) => void;
  reject: (error: Error) => void;
}

/** The member called again while its earlier call was waiting. Only the later call is answered, as in Kafka. */
export class Superseded extends Error {
  override readonly name = 'Superseded';

  constructor() {
    super('the member sent this call again; the later one is answered');
  }
}

export class ParkedCalls {
  readonly #joins = new Map<string, Parked<JoinAnswer>>();
  readonly #syncs = new Map<string, Parked<SyncAnswer>>();

  parkJoin(groupId: string, memberId: string): Promise<JoinAnswer> {
    return park(this.#joins, key(groupId, memberId));
  }

  parkSync(groupId: string, memberId: string): Promise<SyncAnswer> {
    return park(this.#syncs, key(groupId, memberId));
  }

  /** Answers the calls that a durable command has completed. */
  answer(effect: GroupEffect): void {
    for (const { answerTo, answer } of effect.joined) {
      take(this.#joins, key(effect.groupId, answerTo))?.resolve(answer);
    }
    for (const { answerTo, answer } of effect.synced) {
      take(this.#syncs, key(effect.groupId, answerTo))?.resolve(answer);
    }
  }

  /** Fails every call, because the owner steps down. */
  rejectAll(error: Error): void {
    for (const parked of [...this.#joins.values(), ...this.#syncs.values()]) {
      parked.reject(error);
    }
    this.#joins.clear();
    this.#syncs.clear();
  }
}

// The key contains the length of the first part, so that no two pairs share a key.
function key(groupId: string, memberId: string): string {
  return `${groupId.length}:${groupId}${memberId}`;
}

function park<Answer>(parked: Map<string, Parked<Answer>>, at: string): Promise<Answer> {
  take(parked, at)?.reject(new Superseded());
  return new Promise((resolve, reject) => {
    parked.set(at, { resolve, reject });
  });
}

function take<Answer>(parked: Map<string, Parked<Answer>>, at: string): Parked<Answer> | undefined {
  const found = parked.get(at);
  parked.delete(at);
  return found;
}
