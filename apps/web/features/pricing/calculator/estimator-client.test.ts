import { type CalculatorState, DEFAULT_STATE, withInput } from '@penstock/pricing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { analyse } from '../results/analysis';
import { prepareEstimate } from '../results/prepare-estimate';
import type { Answer, Question } from './estimator';
import { REST_MS } from './estimator';
import { EstimatorClient, type EstimatorWorker, PACE_MS } from './estimator-client';

const at = (throughput: number): CalculatorState => withInput(DEFAULT_STATE, 'throughput', String(throughput));
const throughputOf = (state: CalculatorState) => Number(state.inputs.throughput);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A worker that answers when the test tells it to. */
function manualWorker() {
  const listeners = new Map<string, (event: { data: Answer }) => void>();
  const questions: Question[] = [];
  const worker = {
    postMessage: (question: Question) => questions.push(structuredClone(question)),
    terminate: vi.fn(),
    addEventListener: (type: string, listener: (event: { data: Answer }) => void) => listeners.set(type, listener),
  } as unknown as EstimatorWorker;
  const send = (answer: Answer) => listeners.get('message')?.({ data: answer });
  return {
    worker,
    questions,
    estimate: ({ id, state }: Question) => send({ id, kind: 'estimate', estimate: prepareEstimate(state) }),
    analyze: ({ id, state }: Question) => send({ id, kind: 'analysis', analysis: analyse(state) }),
    fail: () => listeners.get('error')?.({ data: {} as Answer }),
  };
}

function question(asked: readonly Question[], index: number): Question {
  const found = asked[index];
  if (found === undefined) {
    throw new Error(`no question ${index}`);
  }
  return found;
}

/** Records the throughputs of the states whose results arrived. */
function recordingReceiver() {
  const estimates: number[] = [];
  const analyses: number[] = [];
  return {
    estimates,
    analyses,
    receiver: {
      estimate: (state: CalculatorState) => estimates.push(throughputOf(state)),
      analysis: (state: CalculatorState) => analyses.push(throughputOf(state)),
    },
  };
}

test('estimates a change at once and keeps only the newest state', () => {
  const { worker, questions, estimate } = manualWorker();
  const { estimates, receiver } = recordingReceiver();
  const client = new EstimatorClient(() => worker, receiver);
  for (const throughput of [1, 2, 3]) {
    client.ask(at(throughput));
  }
  expect(questions.map(({ state }) => throughputOf(state))).toEqual([1]);
  vi.advanceTimersByTime(10 * PACE_MS);
  expect(questions).toHaveLength(1);
  estimate(question(questions, 0));
  expect(questions.map(({ state }) => throughputOf(state))).toEqual([1, 3]);
  estimate(question(questions, 1));
  expect(estimates).toEqual([1, 3]);
});

test('estimates at most ten times a second, last state included', () => {
  const { worker, questions, estimate } = manualWorker();
  const { estimates, receiver } = recordingReceiver();
  const client = new EstimatorClient(() => worker, receiver);
  for (let step = 1; step <= 60; step += 1) {
    client.ask(at(step));
    if (questions.length > estimates.length) {
      estimate(question(questions, questions.length - 1));
    }
    vi.advanceTimersByTime(16);
  }
  expect(questions.length).toBeGreaterThan(8);
  expect(questions.length).toBeLessThanOrEqual(11);
  vi.advanceTimersByTime(PACE_MS);
  estimate(question(questions, questions.length - 1));
  expect(estimates.at(-1)).toBe(60);
});

test('a crossed analysis does not overwrite newer results', () => {
  const { worker, questions, estimate, analyze } = manualWorker();
  const { analyses, receiver } = recordingReceiver();
  const client = new EstimatorClient(() => worker, receiver);
  client.ask(at(1));
  estimate(question(questions, 0));
  vi.advanceTimersByTime(PACE_MS);
  client.ask(at(2));
  analyze(question(questions, 0));
  expect(analyses).toEqual([]);
  estimate(question(questions, 1));
  analyze(question(questions, 1));
  expect(analyses).toEqual([2]);
});

test.each([
  ['missing', () => null],
  [
    'forbidden',
    () => {
      throw new DOMException('forbidden', 'SecurityError');
    },
  ],
])('computes the same results on the page with workers %s', (_what, startWorker) => {
  const receiver = { estimate: vi.fn(), analysis: vi.fn() };
  const state = at(7);
  new EstimatorClient(startWorker, receiver).ask(state);
  expect(receiver.estimate).toHaveBeenCalledExactlyOnceWith(state, prepareEstimate(state));
  vi.advanceTimersByTime(REST_MS);
  expect(receiver.analysis).toHaveBeenCalledExactlyOnceWith(state, analyse(state));
});

test('the page answers pending questions if no worker loads', () => {
  const { worker, questions, fail } = manualWorker();
  const { estimates, analyses, receiver } = recordingReceiver();
  const client = new EstimatorClient(() => worker, receiver);
  client.ask(at(1));
  client.ask(at(2));
  fail();
  vi.advanceTimersByTime(PACE_MS + REST_MS);
  expect(questions).toHaveLength(1);
  expect(estimates).toEqual([1, 2]);
  expect(analyses).toEqual([2]);
});

test('a closed client delivers nothing', () => {
  const { worker, questions, estimate } = manualWorker();
  const { estimates, receiver } = recordingReceiver();
  const client = new EstimatorClient(() => worker, receiver);
  client.ask(at(1));
  client.close();
  estimate(question(questions, 0));
  expect(estimates).toEqual([]);
  expect(worker.terminate).toHaveBeenCalledOnce();
});
