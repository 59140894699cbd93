import { expect, test } from 'vitest';
import { isStream, routeOf } from './request-route.ts';

const id = '01a1fd75-05ad-70d3-be6b-700718a64c38';

test.each([
  ['/', '/'],
  ['/app', '/app'],
  [`/app/clusters/${id}/topics`, '/app'],
  ['/application', 'other'],
  ['/docs/limits', '/docs'],
  ['/sign-in', '/sign-in'],
  ['/api/auth/reset-password/a-secret-token', '/api/auth'],
  ['/api/trpc/cluster.list,topic.list', '/api/trpc'],
  [`/api/v1/clusters/${id}`, '/api/v1/clusters/{clusterId}'],
  ['/api/v1/nothing/here', '/api/v1'],
  ['/scim/v2/Users', '/scim/v2'],
  ['/wp-login.php', 'other'],
])('%s is %s', (path, route) => {
  expect(routeOf({ method: 'GET', path, accept: '*/*' })).toBe(route);
});

test('a live page has a route of its own, without a duration', () => {
  const route = routeOf({ method: 'GET', path: '/api/trpc/cluster.watch', accept: 'text/event-stream' });
  expect(route).toBe('/api/trpc (stream)');
  expect([isStream(route), isStream('/api/trpc')]).toEqual([true, false]);
});
