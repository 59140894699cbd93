import { describe, expect, it } from 'vitest';
import { fieldsOfQuery, parseFields, queryOfFields, tidy } from './fields';

describe('the fields of the form', () => {
  it('hold only values that differ from the default', () => {
    expect(tidy({ throughput: '100', fanout: '5' })).toEqual({ fanout: '5' });
    expect(queryOfFields({ fanout: '5' })).toBe('fanout=5');
  });

  it('are read from a link, whose last repetition counts', () => {
    expect(fieldsOfQuery({ fanout: ['1', '5'], zones: '3', nothing: undefined })).toEqual({ fanout: '5' });
  });

  it('keep invalid values, so that shared links show the errors', () => {
    const fields = fieldsOfQuery({ throughput: 'NaN' });
    expect(queryOfFields(fields)).toBe('throughput=NaN');
    expect(parseFields(fields).errors['throughput']).toMatch(/Enter only a number/);
  });
});
