// What agents know of one owner's journal, held against what it knows itself. Nothing is concluded from memory: that entries are lost,
// only the journal says.
import {
  formatWitnessed,
  type Journal,
  type JournalPosition,
  type LostTail,
  parseWitnessed,
  type WitnessedPosition,
} from '@penstock/metadata-journal';
import { orUnreachable } from './errors.ts';

/** Positions that are remembered as part of the history: at full speed some seconds of it. */
const REMEMBERED_POSITIONS = 1_024;

export interface WitnessesOptions {
  journal: Journal;
  clusterId: string;
  /** How many losses of a tail were accepted before this opening. */
  history: number;
  /** Where the journal stands. */
  position: JournalPosition;
  /** The journal does not hold what the witness knows. Throws what the caller shall see, or returns if that is of no concern any more. */
  onLost: (loss: LostTail) => Promise<void>;
  /** Others have appended to the journal. Throws what the caller shall see. */
  onOvertaken: () => void;
}

export class Witnesses {
  readonly #options: WitnessesOptions;
  /** In their text form; the oldest first. */
  readonly #known = new Set<string>();
  readonly #checks = new Map<string, Promise<void>>();
  #position: JournalPosition;
  #text: string;

  constructor(options: WitnessesOptions) {
    this.#options = options;
    this.#position = options.position;
    this.#text = this.#remember(options.position);
  }

  /** Where the last durable entry stands, for those who are to bear witness. */
  get position(): string {
    return this.#text;
  }

  /** An entry has become durable. */
  advance(position: JournalPosition): void {
    this.#position = position;
    this.#text = this.#remember(position);
  }

  /**
   * Holds what somebody knows against the journal. Undefined when there is nothing to wait for; rejects with JournalUnreachable when
   * the database does not answer.
   * @param text as `position` was told once; null or anything else: no witness
   */
  check(text: string | null, witness: string): Promise<void> | undefined {
    if (text === null || this.#known.has(text)) {
      return undefined;
    }
    const witnessed = parseWitnessed(text);
    // What was known of a history whose loss was accepted says nothing of this one.
    if (witnessed === undefined || witnessed.history < this.#options.history) {
      return undefined;
    }
    let check = this.#checks.get(text);
    if (check === undefined) {
      check = this.#check(text, witnessed, witness).finally(() => this.#checks.delete(text));
      this.#checks.set(text, check);
    }
    return check;
  }

  async #check(text: string, witnessed: WitnessedPosition, witness: string): Promise<void> {
    const { journal, clusterId, onLost, onOvertaken } = this.#options;
    const status = await orUnreachable(clusterId, journal.statusOf(clusterId, witnessed));
    if (status.kind === 'lost') {
      await onLost({ witness, witnessed, last: status.last });
    } else if (witnessed.seq > this.#position.seq) {
      // This owner tells nobody of an entry before it knows that it is durable: another one appended it.
      onOvertaken();
    }
    this.#keep(text);
  }

  #remember(position: JournalPosition): string {
    const text = formatWitnessed({ history: this.#options.history, ...position });
    this.#keep(text);
    return text;
  }

  #keep(text: string): void {
    this.#known.add(text);
    if (this.#known.size > REMEMBERED_POSITIONS) {
      for (const oldest of this.#known) {
        this.#known.delete(oldest);
        break;
      }
    }
  }
}
