import { expect, it } from 'vitest';
import { textPatterns } from '../../src/forget/block-client.ts';

it('textPatterns looks for no id or name that would be found in any text', () => {
  expect(textPatterns('7', ['Ou', ' '])).toEqual({ exact: null, loose: null, number: null });
});
