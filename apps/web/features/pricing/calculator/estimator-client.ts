// Asks the worker, one question at a time. Where no worker can run, the page answers itself, with the same numbers.
import type { CalculatorState } from '@penstock/pricing';
import type { Analysis } from '../results/analysis';
import type { PreparedEstimate } from '../results/prepare-estimate';
import { type Answer, createEstimator, type Question } from './estimator';

/** Ten times a second looks live and leaves the other frames to the control in use. */
export const PACE_MS = 100;

/** The part of a Worker that is used here. */
export type EstimatorWorker = Pick<Worker, 'postMessage' | 'terminate' | 'addEventListener'>;

export interface Receiver {
  estimate(state: CalculatorState, estimate: PreparedEstimate): void;
  analysis(state: CalculatorState, analysis: Analysis): void;
}

export class EstimatorClient {
  readonly #receiver: Receiver;
  #worker: EstimatorWorker | null;
  #onPage: ((question: Question) => void) | null = null;
  #asked: Question | undefined;
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #isWaiting = false;
  #next: CalculatorState | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param startWorker throws or returns null where workers are missing or forbidden */
  constructor(startWorker: () => EstimatorWorker | null, receiver: Receiver) {
    this.#receiver = receiver;
    this.#worker = started(startWorker);
    this.#worker?.addEventListener('message', ({ data }: MessageEvent<Answer>) => this.#receive(data));
    for (const failure of ['error', 'messageerror'] as const) {
      this.#worker?.addEventListener(failure, () => this.#answerOnPage());
    }
  }

  /** Asks about a state. Of states that follow each other quickly, the newest is asked about. */
  ask(state: CalculatorState): void {
    this.#next = state;
    this.#askNext();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = null;
    this.#asked = undefined;
    this.#next = undefined;
  }

  #askNext(): void {
    if (this.#isWaiting || this.#next === undefined || this.#timer !== undefined) {
      return;
    }
    const waitMs = this.#askedAtMs + PACE_MS - performance.now();
    if (waitMs > 0) {
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#askNext();
      }, waitMs);
      return;
    }
    this.#asked = { id: (this.#asked?.id ?? 0) + 1, state: this.#next };
    this.#next = undefined;
    this.#askedAtMs = performance.now();
    this.#isWaiting = true;
    this.#send(this.#asked);
  }

  #send(question: Question): void {
    if (this.#worker === null) {
      this.#onPage ??= createEstimator((answer) => this.#receive(answer));
      this.#onPage(question);
    } else {
      this.#worker.postMessage(question);
    }
  }

  #receive(answer: Answer): void {
    // An analysis can cross with a newer question, whose own answer follows.
    if (this.#asked === undefined || answer.id !== this.#asked.id) {
      return;
    }
    const { state } = this.#asked;
    if (answer.kind === 'analysis') {
      this.#receiver.analysis(state, answer.analysis);
      return;
    }
    this.#isWaiting = false;
    this.#receiver.estimate(state, answer.estimate);
    this.#askNext();
  }

  /** The worker did not load or failed. The page answers from here on, beginning with the question in hand. */
  #answerOnPage(): void {
    if (this.#worker === null) {
      return;
    }
    this.#worker.terminate();
    this.#worker = null;
    if (this.#asked !== undefined) {
      this.#send(this.#asked);
    }
  }
}

function started(startWorker: () => EstimatorWorker | null): EstimatorWorker | null {
  try {
    return startWorker();
  } catch {
    // Some browsers throw where a policy forbids workers.
    return null;
  }
}
