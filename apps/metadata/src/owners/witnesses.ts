// Checks the positions that agents have heard of against this owner's journal. Nothing is concluded from memory: only the journal shows
// that entries are lost.
import {
  formatWitnessed,
  type Journal,
  type JournalPosition,
  type LostTail,
  parseWitnessed,
  type WitnessedPosition,
} from '@penstock/metadata-journal';
import { orUnreachable } from './errors.ts';

/** Positions to remember as part of the history: some seconds' worth at full speed. */
const REMEMBERED_POSITIONS = 1_024;

export interface WitnessesOptions {
  journal: Journal;
  clusterId: string;
  /** How many losses of the journal's tail had been accepted before this opening. */
  history: number;
  /** The position of the journal's last entry. */
  position: JournalPosition;
  /** The journal lacks an entry that the witness knows. Throws the error for the caller, or returns if the loss no longer matters. */
  onLost: (loss: LostTail) => Promise<void>;
  /** Others have appended to the journal. Throws the error for the caller. */
  onOvertaken: () => void;
}

export class Witnesses {
  readonly #options: WitnessesOptions;
  /** As text, oldest first. */
  readonly #known = new Set<string>();
  readonly #checks = new Map<string, Promise<void>>();
  #position: JournalPosition;
  #text: string;

  constructor(options: WitnessesOptions) {
    this.#options = options;
    this.#position = options.position;
    this.#text = this.#remember(options.position);
  }

  /** The position of the last durable entry, in the form that witnesses send back. */
  get position(): string {
    return this.#text;
  }

  /** Call when an entry has become durable. */
  advance(position: JournalPosition): void {
    this.#position = position;
    this.#text = this.#remember(position);
  }

  /**
   * Checks a witness's position against the journal. Undefined when there is nothing to wait for; rejects with JournalUnreachable when the
   * database does not answer.
   * @param text an earlier `position`; null or anything else: no witness
   */
  check(text: string | null, witness: string): Promise<void> | undefined {
    if (text === null || this.#known.has(text)) {
      return undefined;
    }
    const witnessed = parseWitnessed(text);
    // Positions from a history whose loss was accepted say nothing about this one.
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
      // This owner publishes no entry before it knows that it is durable, so another owner appended this one.
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
