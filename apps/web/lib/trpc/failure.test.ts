import { describe, expect, it } from 'vitest';
import { failureText, isNotFound, isOutdated, toFailure } from './failure.ts';

describe('toFailure', () => {
  it('keeps the message, remedy and field of an error', () => {
    const error = Object.assign(new Error('Another cluster is called “a”.'), {
      data: { code: 'CONFLICT', appCode: 'cluster_name_taken', remedy: 'Choose another name.', field: 'name' },
    });
    const failure = toFailure(error);
    expect(failure).toEqual({
      message: 'Another cluster is called “a”.',
      remedy: 'Choose another name.',
      field: 'name',
      code: 'cluster_name_taken',
    });
    expect(failureText(failure)).toBe('Another cluster is called “a”. Choose another name.');
  });

  it('reports an unreachable server when there is no response', () => {
    expect(toFailure(new TypeError('Failed to fetch')).message).toContain('couldn’t reach the server');
    expect(toFailure('boom').remedy).toContain('Check your connection');
  });
});

describe('isOutdated', () => {
  const failed = (appCode: string) => isOutdated(toFailure(Object.assign(new Error('x'), { data: { appCode } })));

  it('is true of a call that the server no longer has', () => {
    expect([failed('page_outdated'), failed('cluster_not_found')]).toEqual([true, false]);
  });
});

describe('isNotFound', () => {
  const failed = (data: object) => isNotFound(toFailure(Object.assign(new Error('x'), { data })), 'clusterId');

  it('is true of an unknown id and of a malformed one', () => {
    expect(failed({ appCode: 'cluster_not_found' })).toBe(true);
    expect(failed({ appCode: 'input_invalid', field: 'clusterId' })).toBe(true);
  });

  it('is false of other errors, which may be temporary', () => {
    expect(failed({ appCode: 'input_invalid', field: 'name' })).toBe(false);
    expect(failed({ appCode: 'metadata_unavailable' })).toBe(false);
    expect(isNotFound(toFailure(new TypeError('Failed to fetch')), 'clusterId')).toBe(false);
  });
});
