import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setInEnvText } from '../../src/cli/commands/init-command.ts';
import { ConfigError } from '../../src/core/errors.ts';

test('lines of the variables are replaced, all others stay as they are', () => {
  const before = '# mine\nAIRANK_BASE_URL=\nOTHER="a b" # x\n  export AIRANK_API_KEY = old\n';
  expect(setInEnvText(before, { AIRANK_BASE_URL: 'https://x.example', AIRANK_API_KEY: 'a b', NEW: '' })).toBe(
    '# mine\nAIRANK_BASE_URL=https://x.example\nOTHER="a b" # x\nAIRANK_API_KEY=\'a b\'\nNEW=\n',
  );
});

test('of several lines of a variable the one that counts is replaced', () => {
  const text = setInEnvText('KEY=first\nKEY=second\n', { KEY: 'new' });
  expect(parseEnv(text)).toEqual({ KEY: 'new' });
});

test('whatever a key holds, it is read again as it was, or refused', () => {
  const key = fc.string({ minLength: 1, unit: fc.constantFrom(...`aZ9#$\\'"\`= n&%{}-_`) });
  fc.assert(
    fc.property(key, (value) => {
      let text: string;
      try {
        text = setInEnvText('A=1\n', { KEY: value });
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError);
        expect(value).toMatch(/'.*`|`.*'/s);
        return;
      }
      expect(parseEnv(`${text}B=2\n`)).toEqual({ A: '1', KEY: value, B: '2' });
    }),
  );
});
