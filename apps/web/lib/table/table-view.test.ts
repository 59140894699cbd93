import { expect, test } from 'vitest';
import { nextOrder, notSeenSince, PLAIN_VIEW, readView, type TableView, withView } from './table-view';

const view: TableView = {
  order: { column: 'size', isDescending: true },
  filter: 'a&b=ö',
  hidden: ['records', 'key'],
};

test.each(['', 'users'])('the URL keeps the view of table “%s” and all else', (name) => {
  const search = withView(new URLSearchParams('from=1'), name, view).toString();
  expect(readView(new URLSearchParams(search), name)).toEqual(view);
  expect(readView(new URLSearchParams(search), 'other')).toEqual(PLAIN_VIEW);
  expect(withView(new URLSearchParams(search), name, PLAIN_VIEW).toString()).toBe('from=1');
});

test('the same view has the same URL', () => {
  const filtered = withView(new URLSearchParams(), '', { ...PLAIN_VIEW, filter: 'a' });
  expect(withView(filtered, '', { ...view, filter: 'a' }).toString()).toBe('sort=-size&filter=a&hide=records%2Ckey');
});

test('a header sorts, then reverses, then stops', () => {
  const first = { column: 'lag', isDescending: true };
  const second = nextOrder(nextOrder(null, first), first);
  expect(second).toEqual({ column: 'lag', isDescending: false });
  expect(nextOrder(second, first)).toBeNull();
  expect(nextOrder(second, { column: 'name', isDescending: false })).toEqual({ column: 'name', isDescending: false });
});

test('an address that the page sees late is no news', () => {
  const written = ['', 'sort=name', 'sort=name&hide=size'];
  expect(notSeenSince(written, '')).toEqual(written);
  expect(notSeenSince(written, 'sort=name')).toEqual(['sort=name', 'sort=name&hide=size']);
  expect(notSeenSince(written, 'sort=name&hide=size')).toEqual(['sort=name&hide=size']);
  expect(notSeenSince(written, 'sort=size')).toBeUndefined();
});

test('going back to an address from before is news', () => {
  const seen = notSeenSince(['', 'sort=name'], 'sort=name') ?? [];
  expect(notSeenSince(seen, '')).toBeUndefined();
});
