import { describe, expect, it } from 'vitest';
import { textPatterns } from '../../src/forget/block-client.ts';

describe('textPatterns', () => {
  it('looks for no id or name that would be found in any text', () => {
    expect(textPatterns('7', ['Ou', ' '])).toEqual({ exact: null, loose: null, number: null });
  });
});
