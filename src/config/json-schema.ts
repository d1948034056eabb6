// `airank.config.schema.json`, for editors: made from the same zod shapes that check the file.
import { z } from 'zod';
import { sectionSchemas } from './file-schema.ts';
import { type Setting, settingEntries } from './settings.ts';

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
