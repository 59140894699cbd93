import { expect, test } from 'vitest';
import { createOpenStreams } from './open-streams.ts';

test('limits open streams per session and frees a place once', () => {
  const streams = createOpenStreams(2);
  const first = streams.open('a');
  streams.open('a');
  streams.open('b');
  expect(() => streams.open('a')).toThrow(expect.objectContaining({ code: 'streams_too_many' }));
  first.release();
  first.release();
  streams.open('a');
  expect(() => streams.open('a')).toThrow(expect.objectContaining({ code: 'streams_too_many' }));
});

test('closing ends all streams', () => {
  const streams = createOpenStreams();
  const { ending } = streams.open('a');
  streams.close();
  expect(ending.aborted).toBe(true);
  expect(streams.open('b').ending.aborted).toBe(true);
});
