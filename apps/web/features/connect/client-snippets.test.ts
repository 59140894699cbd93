import { describe, expect, it } from 'vitest';
import { clientSnippets } from './client-snippets.ts';

describe('clientSnippets', () => {
  it('uses the same bootstrap address for every client and no other', () => {
    for (const snippet of clientSnippets('10.0.0.7:9092')) {
      expect(snippet.code).toContain('10.0.0.7:9092');
      expect(snippet.code).not.toContain('localhost');
    }
  });
});
