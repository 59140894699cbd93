import { expect, test } from 'vitest';
import { type EventPage, type EventPages, withNewest } from './newest-events';

const page = (ids: string, nextCursor: string | null = ids.at(-1) ?? null): EventPage => ({
  events: [...ids].map((id) => ({
    specversion: '1.0',
    id,
    source: '',
    type: '',
    time: '',
    datacontenttype: 'application/json',
    data: {},
  })),
  nextCursor,
});
const log = (...pages: EventPage[]): EventPages => ({ pages, pageParams: pages.map(() => null) });
const idsOf = ({ pages }: EventPages): string[] => pages.map(({ events }) => events.map(({ id }) => id).join(''));

test.each<[string, EventPages, EventPage, string[]]>([
  ['one page is the newest page', log(page('cba')), page('dcb'), ['dcb']],
  ['older pages that were read stay, without a hole', log(page('fed'), page('cba')), page('hgf'), ['hgfed', 'cba']],
  ['so much came that there would be a hole: the log begins anew', log(page('fed'), page('cba')), page('xyz'), ['xyz']],
  ['the newest page is all there is', log(page('fed'), page('cba')), page('fe', null), ['fe']],
])('%s', (_what, before, newest, expected) => {
  expect(idsOf(withNewest(before, newest))).toEqual(expected);
});
