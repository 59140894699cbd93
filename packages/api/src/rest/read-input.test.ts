import { expect, test } from 'vitest';
import type { RouteInput } from '../operation/route.ts';
import { HttpRefusal } from './problem.ts';
import { readInput } from './read-input.ts';
import { routes } from './routes.ts';

const clusterId = '01890a5d-ac96-774b-bcce-b302099a8057';

/** The input of GET /clusters/{clusterId}/consumer-groups/{groupId} for a segment and a query. */
async function read(segment: string, query = ''): Promise<RouteInput | string> {
  const route = routes.find(
    ({ method, path }) => method === 'get' && path === '/clusters/{clusterId}/consumer-groups/{groupId}',
  );
  if (route === undefined) {
    throw new Error('there is no such route');
  }
  const request = { method: 'GET', url: '/', headers: new Headers(), body: null };
  try {
    return await readInput(route, [clusterId, segment], request, new URLSearchParams(query));
  } catch (error) {
    if (error instanceof HttpRefusal) {
      return error.code;
    }
    throw error;
  }
}

test.each([
  ['a%2Fb', '', 'a/b'],
  ['new%0Aline', '', 'new\nline'],
  ['-', '', '-'],
  ['-', 'groupId=.', '.'],
  ['-', 'groupId=..', '..'],
  ['-', 'groupId=%252E', '%2E'],
])('a group is named by the segment %j and the query %j', async (segment, query, groupId) => {
  expect(await read(segment, query)).toEqual({ clusterId, groupId });
});

test.each([
  ['billing', 'groupId=other'],
  ['-', 'groupId=a&groupId=b'],
  ['-', 'clusterId=other&groupId=a'],
  ['billing', 'constructor=1'],
  ['billing', '__proto__=1'],
])('the segment %j with the query %j is refused', async (segment, query) => {
  expect(await read(segment, query)).toBe('input_invalid');
});
