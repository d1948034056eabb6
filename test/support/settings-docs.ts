// Makes what people read about the settings from the table: `.env.example`, docs/configuration.md and
// `airank.config.schema.json`, the last from the same zod shapes that check the file.
import { z } from 'zod';
import { sectionSchemas } from '../../src/config/file-schema.ts';
import { commonSettings, type Setting, settingEntries } from '../../src/config/settings.ts';

const lineWidth = 110;

function describeSetting(setting: Setting): string {
  const fallback = setting.default === undefined ? '' : ` Default: ${setting.default}.`;
  return `${setting.description} Unit: ${setting.unit}.${fallback} ${setting.env} wins over it.`;
}

/** JSON with short lists of plain values on one line, as the project's formatter writes it. */
function formatJson(value: unknown, indent: string, name = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const flat = `[${value.map((part) => JSON.stringify(part)).join(', ')}]`;
    const plain = value.every((part) => typeof part !== 'object' || part === null);
    // A comma may follow.
    if (plain && indent.length + name.length + flat.length < lineWidth) return flat;
    return `[\n${value.map((part) => inner + formatJson(part, inner)).join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value);
  if (members.length === 0) return '{}';
  const lines = members.map(([key, part]) => {
    const name = `${JSON.stringify(key)}: `;
    return `${inner}${name}${formatJson(part, inner, name)}`;
  });
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

/** The text of `airank.config.schema.json` (JSON Schema, draft 2020-12). */
export function configJsonSchema(): string {
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
  return `${formatJson(titled, '')}\n`;
}

/** The settings that people set, or all others, as a table in Markdown. */
export function settingsMarkdown(which: 'common' | 'others'): string {
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
export function envExample(): string {
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
