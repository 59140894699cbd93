// The data files that the cluster knows. The run index refers to a file by its slot, a small number that is used again after the
// file is gone. A file without runs is queued for deletion; it stays known until an agent confirms that its object is deleted.
import { assert, present } from '../assert.ts';
import { type Id, type IdKey, idKey } from '../ids.ts';
import { DELETION_GRACE_MS, DELETION_LEASE_MS } from '../limits.ts';

export interface FileRecord {
  id: Id;
  bytes: number;
  committedAtMs: number;
  /** Runs of the index that lie in this file, and their bytes. */
  liveRuns: number;
  liveBytes: number;
}

/** Everything that a snapshot keeps of the table, in an order that `FileTable.restore` repeats. */
export interface FileTableImage {
  /** By slot; null: the slot is free. */
  slots: (FileRecord | null)[];
  /** Free slots; the last is used next. */
  free: number[];
  /** Dead files, by slot, with the time at which the last run went; oldest first. */
  waiting: [slot: number, deadSinceMs: number][];
  /** Dead files that an agent took, with the end of the lease; oldest lease first. */
  leased: [slot: number, leaseUntilMs: number][];
}

export class FileTable {
  #slots: (FileRecord | null)[] = [];
  #free: number[] = [];
  #slotById = new Map<IdKey, number>();
  #waiting = new Map<number, number>();
  #leased = new Map<number, number>();

  /** Files known, those queued for deletion included. */
  get size(): number {
    return this.#slotById.size;
  }

  /** Files queued for deletion. */
  get dead(): number {
    return this.#waiting.size + this.#leased.size;
  }

  knows(id: Id): boolean {
    return this.#slotById.has(idKey(id));
  }

  record(slot: number): FileRecord {
    return present(this.#slots[slot], `file in slot ${slot}`);
  }

  /** Adds a file without runs. Give it runs with `addRun` and then call `settle`. */
  add(id: Id, bytes: number, nowMs: number): number {
    const key = idKey(id);
    assert(!this.#slotById.has(key), 'a file is added once');
    const slot = this.#free.pop() ?? this.#slots.length;
    this.#slots[slot] = { id: id.slice(), bytes, committedAtMs: nowMs, liveRuns: 0, liveBytes: 0 };
    this.#slotById.set(key, slot);
    return slot;
  }

  addRun(slot: number, bytes: number): void {
    const file = this.record(slot);
    file.liveRuns += 1;
    file.liveBytes += bytes;
  }

  /** A file that got no run at all is dead from the start. */
  settle(slot: number, nowMs: number): void {
    if (this.record(slot).liveRuns === 0) {
      this.#waiting.set(slot, nowMs);
    }
  }

  /** A run of this file left the index. */
  dropRun(slot: number, bytes: number, nowMs: number): void {
    const file = this.record(slot);
    assert(file.liveRuns > 0 && file.liveBytes >= bytes, 'a dropped run was counted');
    file.liveRuns -= 1;
    file.liveBytes -= bytes;
    if (file.liveRuns === 0) {
      this.#waiting.set(slot, nowMs);
    }
  }

  /** Leases dead files: first those whose lease ran out, then those past the grace period, oldest first. */
  take(maxFiles: number, nowMs: number): Id[] {
    const slots: number[] = [];
    for (const [slot, leaseUntilMs] of this.#leased) {
      if (slots.length >= maxFiles || leaseUntilMs > nowMs) {
        break;
      }
      slots.push(slot);
    }
    for (const [slot, deadSinceMs] of this.#waiting) {
      if (slots.length >= maxFiles || deadSinceMs + DELETION_GRACE_MS > nowMs) {
        break;
      }
      slots.push(slot);
    }
    for (const slot of slots) {
      this.#waiting.delete(slot);
      this.#leased.delete(slot);
      this.#leased.set(slot, nowMs + DELETION_LEASE_MS);
    }
    return slots.map((slot) => this.record(slot).id);
  }

  /** Times after this one were given by a clock that was ahead: dead files wait no longer than others that die now. */
  setClockBack(nowMs: number): void {
    for (const [slot, deadSinceMs] of this.#waiting) {
      this.#waiting.set(slot, Math.min(deadSinceMs, nowMs));
    }
    for (const [slot, leaseUntilMs] of this.#leased) {
      this.#leased.set(slot, Math.min(leaseUntilMs, nowMs + DELETION_LEASE_MS));
    }
  }

  /** Forgets a dead file. False when the file is unknown or alive: then nothing happened. */
  forget(id: Id): boolean {
    const key = idKey(id);
    const slot = this.#slotById.get(key);
    if (slot === undefined || !(this.#leased.delete(slot) || this.#waiting.delete(slot))) {
      return false;
    }
    this.#slotById.delete(key);
    this.#slots[slot] = null;
    this.#free.push(slot);
    return true;
  }

  image(): FileTableImage {
    return { slots: this.#slots, free: this.#free, waiting: [...this.#waiting], leased: [...this.#leased] };
  }

  static restore(image: FileTableImage): FileTable {
    const table = new FileTable();
    table.#slots = image.slots;
    table.#free = image.free;
    table.#waiting = new Map(image.waiting);
    table.#leased = new Map(image.leased);
    for (const [slot, file] of image.slots.entries()) {
      if (file !== null) {
        table.#slotById.set(idKey(file.id), slot);
      }
    }
    return table;
  }
}
