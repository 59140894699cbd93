import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { putStreamed } from './put-streamed';

const KEY = ['topic'];

test('an older request never replaces streamed data', async () => {
  const queries = new QueryClient();
  const response = Promise.withResolvers<string>();
  const fetched = queries.fetchQuery({ queryKey: KEY, queryFn: () => response.promise });
  putStreamed(queries, KEY, 'newer');
  putStreamed(queries, KEY, 'newest');
  expect(queries.getQueryData(KEY)).toBe('newest');
  response.resolve('older');
  await fetched;
  expect(queries.getQueryData(KEY)).toBe('newest');
});

test('streamed data stays when the request fails', async () => {
  const queries = new QueryClient();
  const response = Promise.withResolvers<string>();
  const fetched = queries.fetchQuery({ queryKey: KEY, queryFn: () => response.promise, retry: false });
  putStreamed(queries, KEY, 'newest');
  response.reject(new Error('no answer'));
  await expect(fetched).rejects.toThrow('no answer');
  expect(queries.getQueryData(KEY)).toBe('newest');
});

test('without a request the latest streamed data counts', () => {
  const queries = new QueryClient();
  putStreamed(queries, KEY, 'first');
  putStreamed(queries, KEY, 'second');
  expect(queries.getQueryData(KEY)).toBe('second');
});
