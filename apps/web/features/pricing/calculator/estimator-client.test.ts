import { type CalculatorState, DEFAULT_STATE, withInput } from '@penstock/pricing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { analyse } from '../results/analysis';
import { prepareEstimate } from '../results/prepare-estimate';
import type { Answer, Question } from './estimator';
import { REST_MS } from './estimator';
import { EstimatorClient, type EstimatorWorker, PACE_MS } from './estimator-client';

const at = (throughput: number): CalculatorState => withInput(DEFAULT_STATE, 'throughput', String(throughput));
const throughputOf = (state: CalculatorState) => Number(state.inputs['throughput']);

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

test('a single change is asked about at once; while the answer is awaited, only the newest state is kept', () => {
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

test('a value that keeps changing is asked about ten times a second, and its last state always', () => {
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

test('an analysis that crossed with a newer question does not overwrite newer results', () => {
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
])('where workers are %s, the page computes the same results', (_what, startWorker) => {
  const receiver = { estimate: vi.fn(), analysis: vi.fn() };
  const state = at(7);
  new EstimatorClient(startWorker, receiver).ask(state);
  expect(receiver.estimate).toHaveBeenCalledExactlyOnceWith(state, prepareEstimate(state));
  vi.advanceTimersByTime(REST_MS);
  expect(receiver.analysis).toHaveBeenCalledExactlyOnceWith(state, analyse(state));
});

test('when the worker does not load, the page answers the question in hand and those that follow', () => {
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
