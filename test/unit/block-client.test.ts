import { describe, expect, it } from 'vitest';
import { textPatterns } from '../../src/forget/block-client.ts';

describe('textPatterns', () => {
  it('looks for the id and the names as whole words, the longest name first', () => {
    expect(textPatterns('moda&co/es', ['Moda', 'Moda Jara (ES)'])).toEqual({
      exact: '(?<![[:alnum:]_])(?:moda&co/es)(?![[:alnum:]_])',
      loose: '(?<![[:alnum:]_])(?:Moda Jara \\(ES\\)|Moda)(?![[:alnum:]_])',
      number: null,
    });
  });

  it('looks for no id or name that would be found in any text', () => {
    expect(textPatterns('7', ['Ou', ' '])).toEqual({ exact: null, loose: null, number: null });
  });

  it('takes a long number for the id, too', () => {
    expect(textPatterns('41027', []).number).toBe('41027');
  });
});
