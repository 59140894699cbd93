import { describe, expect, it } from 'vitest';
import { clientSnippets } from './client-snippets.ts';

describe('clientSnippets', () => {
  it('gives every client the same bootstrap address and no other', () => {
    for (const snippet of clientSnippets('10.0.0.7:9092')) {
      expect(snippet.code).toContain('10.0.0.7:9092');
      expect(snippet.code).not.toContain('localhost');
    }
  });
});
