import { once } from 'node:events';
import { create } from '@bufbuild/protobuf';
import { type ClusterView, ClusterViewSchema } from '@penstock/metadata-protocol';
import { AppError } from '@penstock/platform';
import { expect, test } from 'vitest';
import { createOwnerViews } from './owner-views.ts';

const CLUSTER = 'c';

/** An owner whose views the test sends, and which counts its requests. */
function createOwner() {
  const said = new EventTarget();
  const queue: ClusterView[] = [];
  const owner = {
    asked: 0,
    watched: 0,
    hungUp: 0,
    say(atMs: number) {
      queue.push(create(ClusterViewSchema, { clusterId: CLUSTER, atMs: BigInt(atMs) }));
      said.dispatchEvent(new Event('view'));
    },
    async getClusterView() {
      owner.asked += 1;
      return create(ClusterViewSchema, { clusterId: CLUSTER, atMs: 7n });
    },
    async *watchClusterView(_clusterId: string, signal: AbortSignal) {
      owner.watched += 1;
      signal.addEventListener('abort', () => {
        owner.hungUp += 1;
      });
      while (!signal.aborted) {
        const view = queue.shift();
        if (view !== undefined) {
          yield view;
        } else {
          await once(said, 'view', { signal }).catch(() => undefined);
        }
      }
    },
  };
  return owner;
}

function nextChange(): { onChange: () => void; change: () => Promise<unknown> } {
  const changes = new EventTarget();
  return { onChange: () => changes.dispatchEvent(new Event('change')), change: () => once(changes, 'change') };
}

test('shares one stream per cluster until its last subscriber goes', async () => {
  const owner = createOwner();
  const views = createOwnerViews(owner, { lingerMs: 0 });
  const [first, second] = [nextChange(), nextChange()];
  const followers = [first, second].map(({ onChange }) => views.subscribe(CLUSTER, onChange));
  const both = Promise.all([first.change(), second.change()]);
  owner.say(1);
  await both;
  expect(followers.map((follower) => follower.current().view?.atMs)).toEqual([1, 1]);
  expect(owner.watched).toBe(1);
  followers[0]?.close();
  followers[0]?.close();
  expect(owner.hungUp).toBe(0);
  followers[1]?.close();
  expect(owner.hungUp).toBe(1);
});

test('shares one request per page, or none beside a subscriber', async () => {
  const owner = createOwner();
  const views = createOwnerViews(owner, { lingerMs: 0 });
  const answers = await Promise.all([views.snapshot(CLUSTER), views.snapshot(CLUSTER)]);
  expect(answers.map(({ atMs }) => atMs)).toEqual([7, 7]);
  expect(owner.asked).toBe(1);
  const { onChange, change } = nextChange();
  const told = change();
  const follower = views.subscribe(CLUSTER, onChange);
  owner.say(8);
  await told;
  expect((await views.snapshot(CLUSTER)).atMs).toBe(8);
  expect(owner.asked).toBe(1);
  follower.close();
});

test('a subscriber that returns soon finds the stream still open', async () => {
  const owner = createOwner();
  const views = createOwnerViews(owner);
  const { onChange, change } = nextChange();
  const told = change();
  views.subscribe(CLUSTER, onChange).close();
  owner.say(1);
  const follower = views.subscribe(CLUSTER, onChange);
  await told;
  expect(follower.current().view?.atMs).toBe(1);
  expect([owner.watched, owner.hungUp]).toEqual([1, 0]);
  views.close();
  expect(owner.hungUp).toBe(1);
});

test('fails subscribers of a deleted cluster and asks again later', async () => {
  const gone = new AppError({ kind: 'not-found', code: 'cluster_not_found', message: 'It is gone.' });
  let watched = 0;
  const views = createOwnerViews({
    getClusterView: () => Promise.reject(gone),
    // biome-ignore lint/correctness/useYield: it fails before it yields anything
    async *watchClusterView() {
      watched += 1;
      throw gone;
    },
  });
  const { onChange, change } = nextChange();
  const told = change();
  const follower = views.subscribe(CLUSTER, onChange);
  await told;
  expect(follower.failure()).toBe(gone);
  const again = change();
  views.subscribe(CLUSTER, onChange);
  await again;
  expect(watched).toBe(2);
  await expect(views.snapshot(CLUSTER)).rejects.toBe(gone);
});
