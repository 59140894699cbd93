// A simulated bucket: objects by name, written once. It may fail before or after it executes a request, and execute it late.
import type { Machine } from '../kernel/machine.ts';
import type { Scheduler } from '../kernel/scheduler.ts';
import type { Weather } from '../kernel/weather.ts';

const REQUEST_MS = 10;
const SLOW_REQUEST_MS = 40_000;
const LATE_PUT_MS = 300_000;

export class ObjectStoreFailed extends Error {
  override readonly name = 'ObjectStoreFailed';
}

export interface ListedObject {
  name: string;
  modifiedMs: number;
}

export interface ObjectStoreOptions {
  scheduler: Scheduler;
  weather: Weather;
  /** Called when an object is deleted. */
  onDeleted: (name: string) => void;
}

export class ObjectStore<Content> {
  readonly #objects = new Map<string, { content: Content; modifiedMs: number }>();
  readonly #options: ObjectStoreOptions;

  constructor(options: ObjectStoreOptions) {
    this.#options = options;
  }

  has(name: string): boolean {
    return this.#objects.has(name);
  }

  /** Creates an object. An existing one has the same content, because names are unique. */
  put(machine: Machine, name: string, content: Content): Promise<void> {
    const { scheduler, weather } = this.#options;
    const create = (): void => {
      if (!this.#objects.has(name)) {
        this.#objects.set(name, { content, modifiedMs: scheduler.nowMs });
      }
    };
    if (weather.strikes('objectLate')) {
      scheduler.after(weather.delay(REQUEST_MS, LATE_PUT_MS), create);
      return this.#request(machine, () => {
        throw new ObjectStoreFailed('PUT: the connection broke');
      });
    }
    return this.#request(machine, create);
  }

  /** Undefined when there is no such object. */
  get(machine: Machine, name: string): Promise<Content | undefined> {
    return this.#request(machine, () => this.#objects.get(name)?.content);
  }

  /** An object that is already gone counts as deleted. */
  delete(machine: Machine, name: string): Promise<void> {
    return this.#request(machine, () => {
      if (this.#objects.delete(name)) {
        this.#options.onDeleted(name);
      }
    });
  }

  list(machine: Machine): Promise<ListedObject[]> {
    return this.#request(machine, () => [...this.#objects].map(([name, { modifiedMs }]) => ({ name, modifiedMs })));
  }

  #request<T>(machine: Machine, run: () => T): Promise<T> {
    const { scheduler, weather } = this.#options;
    const travelMs = weather.strikes('objectDelayed') ? weather.delay(REQUEST_MS, SLOW_REQUEST_MS) : REQUEST_MS;
    const fails = weather.strikes('objectFailed');
    const losesAnswer = weather.strikes('objectAnswerLost');
    return new Promise((resolve, reject) => {
      scheduler.after(travelMs, () => {
        try {
          if (fails) {
            throw new ObjectStoreFailed('the object store refused a request');
          }
          const answer = run();
          if (losesAnswer) {
            throw new ObjectStoreFailed('the connection broke before the answer');
          }
          machine.deliver(() => resolve(answer));
        } catch (error) {
          machine.deliver(() => reject(error));
        }
      });
    });
  }
}
