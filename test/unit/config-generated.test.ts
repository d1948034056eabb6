import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { sectionSchemas } from '../../src/config/file-schema.ts';
import { nearestName } from '../../src/config/nearest-name.ts';
import { commonSettings, type Setting, settingEntries, settingVariables } from '../../src/config/settings.ts';
import { packageRoot } from '../../src/core/files.ts';
import { good, load } from '../support/config-fixtures.ts';

function describeSetting(setting: Setting): string {
  const fallback = setting.default === undefined ? '' : ` Default: ${setting.default}.`;
  return `${setting.description} Unit: ${setting.unit}.${fallback} ${setting.env} wins over it.`;
}

/** The text of `airank.config.schema.json` (JSON Schema, draft 2020-12). */
function configJsonSchema(): string {
  const globals: Record<string, z.ZodType> = {};
  for (const [, setting] of settingEntries) {
    if (setting.fileKey === undefined) continue;
    globals[setting.fileKey] = setting.kind.schema.optional().describe(describeSetting(setting));
  }
  const sections = Object.entries(sectionSchemas).map(([name, schema]) => [name, schema.optional()]);
  const shape: Record<string, z.ZodType> = {
    $schema: z.string().optional().describe('Address of this schema, for editors.'),
    ...Object.fromEntries(sections),
    ...globals,
  };
  const schema = z.toJSONSchema(z.strictObject(shape), {
    io: 'input',
    override: ({ jsonSchema }) => {
      // Bounds that zod adds to every integer say nothing to a reader.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  const { $schema, ...rest } = schema;
  const titled = {
    $schema,
    title: 'airank.config.yaml',
    description: 'Configuration of airank-warehouse.',
    ...rest,
  };
  return `${JSON.stringify(titled, null, 2)}\n`;
}

/** The settings that people set, or all others, as a table in Markdown. */
function settingsMarkdown(which: 'common' | 'others'): string {
  const lines = ['| variable | in the file | default | unit | meaning |', '|---|---|---|---|---|'];
  const code = (text: string) => (text === '' ? '' : `\`${text}\``);
  for (const [name, setting] of settingEntries) {
    if (commonSettings.includes(name) !== (which === 'common')) continue;
    const fallback = setting.default === undefined ? (setting.defaultNote ?? '') : code(setting.default);
    const cells = [
      code(setting.env),
      code(setting.fileKey ?? ''),
      fallback,
      setting.unit,
      setting.description,
    ];
    lines.push(`| ${cells.join(' | ')} |`);
  }
  return `${lines.join('\n')}\n`;
}

function exampleOf(setting: Setting): string {
  const fallback = setting.default ?? setting.defaultNote ?? 'none';
  const facts = `# ${setting.description}\n# Unit: ${setting.unit}. Default: ${fallback}.`;
  return `${facts}\n# ${setting.env}=${setting.default ?? ''}`;
}

/** The text of `.env.example`: every setting with its default, commented out except the two that are needed. */
function envExample(): string {
  const needed = ['AIRANK_BASE_URL', 'AIRANK_API_KEY'];
  const blocks = settingEntries.map(([, setting], at) => {
    const block = exampleOf(setting);
    if (at === commonSettings.length) return `# What few need.\n\n${block}`;
    return needed.includes(setting.env) ? block.replace(`# ${setting.env}=`, `${setting.env}=`) : block;
  });
  const head = [
    '# Settings of airank-warehouse. Copy to .env and fill in; an empty value means unset.',
    '# A variable of the real environment wins over this file. Keep .env out of version control.',
  ].join('\n');
  return `${[head, ...blocks].join('\n\n')}\n`;
}

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
