import { describe, expect, it } from 'vitest';
import { fieldsOfQuery, parseFields, queryOfFields, tidy } from './fields';

describe('the fields of the form', () => {
  it('hold only what differs from the default', () => {
    expect(tidy({ throughput: '100', fanout: '5' })).toEqual({ fanout: '5' });
    expect(queryOfFields({ fanout: '5' })).toBe('fanout=5');
  });

  it('come from a link, the last of repeated parameters', () => {
    expect(fieldsOfQuery({ fanout: ['1', '5'], zones: '3', nothing: undefined })).toEqual({ fanout: '5' });
  });

  it('keep what is wrong, so that a shared link says the same', () => {
    const fields = fieldsOfQuery({ throughput: 'NaN' });
    expect(queryOfFields(fields)).toBe('throughput=NaN');
    expect(parseFields(fields).errors['throughput']).toMatch(/Enter only a number/);
  });
});
