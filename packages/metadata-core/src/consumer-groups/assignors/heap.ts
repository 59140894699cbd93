// A binary heap. An element's rank must not change while it is in the heap.

export class Heap<T> {
  readonly #items: T[] = [];
  readonly #compare: (a: T, b: T) => number;

  constructor(items: Iterable<T>, compare: (a: T, b: T) => number) {
    this.#compare = compare;
    for (const item of items) {
      this.push(item);
    }
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent] as T;
      if (this.#compare(above, item) <= 0) {
        break;
      }
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  /** Removes the first element. Undefined when there is none. */
  pop(): T | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (items.length === 0 || last === undefined) {
      return first;
    }
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      if (left >= items.length) {
        break;
      }
      const child = right < items.length && this.#compare(items[right] as T, items[left] as T) < 0 ? right : left;
      const below = items[child] as T;
      if (this.#compare(last, below) <= 0) {
        break;
      }
      items[at] = below;
      at = child;
    }
    items[at] = last;
    return first;
  }
}
