import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nearestName } from '../../src/config/nearest-name.ts';
import { settingVariables } from '../../src/config/settings.ts';
import { packageRoot } from '../../src/core/files.ts';
import { good, load } from '../support/config-fixtures.ts';
import { configJsonSchema, envExample, settingsMarkdown } from '../support/settings-docs.ts';

// After a change of the table: npm run docs
describe('pages that are made from tables', () => {
  test.each([
    ['.env.example', envExample()],
    ['airank.config.schema.json', configJsonSchema()],
  ])('%s is the generated text', async (name, text) => {
    await expect(text).toMatchFileSnapshot(`../../${name}`);
  });

  test('docs/configuration.md shows the table as it is', async () => {
    const page = readFileSync(join(packageRoot(), 'docs', 'configuration.md'), 'utf8');
    const shown = (['common', 'others'] as const).reduce((text, which) => {
      const table = `<!-- ${which} settings -->\n${settingsMarkdown(which)}<!-- /settings -->`;
      return text.replace(new RegExp(`<!-- ${which} settings -->[\\s\\S]*?<!-- /settings -->`), () => table);
    }, page);
    await expect(shown).toMatchFileSnapshot('../../docs/configuration.md');
  });

  test('.env.example loads unchanged, and with every line uncommented except those that name things', () => {
    expect(load({}, { '.env': envExample() }, { needAccounts: false }).accounts).toEqual([]);
    const all = envExample().replace(/^# ([A-Z_]+=)/gm, '$1');
    expect(load(good, { '.env': all })).toEqual(load(good));
  });
});

describe('nearest name', () => {
  test('finds each setting again after any one slip', () => {
    fc.assert(
      fc.property(fc.constantFrom(...settingVariables), fc.nat(), (name, at) => {
        const cut = 7 + (at % Math.max(1, name.length - 7));
        const slipped = name.slice(0, cut) + name.slice(cut + 1);
        expect(nearestName(slipped, settingVariables)).toBe(name);
      }),
    );
  });

  test('finds no name where none is similar', () => {
    expect(nearestName('xyz', ['per_minute', 'timezone'])).toBeUndefined();
  });
});
