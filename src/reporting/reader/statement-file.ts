// A statement of a file below sql/, whose names (`:account`, `:from`) become parameters.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../core/package.ts';

export interface Statement {
  readonly text: string;
  readonly values: string[];
}

/**
 * Names that are not given stay as they are. A name that ends in `from` or `to` is a date, others are texts.
 * @param path below sql/, without its ending: `dashboard/rank-trend` @throws when there is no such file
 */
export function readStatement(path: string, given: Readonly<Record<string, string>>): Statement {
  const used: string[] = [];
  const file = readFileSync(join(packageRoot(), 'sql', `${path}.sql`), 'utf8');
  // A comment may speak of them.
  const text = file.replace(/^--.*$/gm, '').replace(/(?<!:):([a-z_]+)\b/g, (word, name: string) => {
    if (given[name] === undefined) return word;
    if (!used.includes(name)) used.push(name);
    return `$${used.indexOf(name) + 1}::${/(^|_)(from|to)$/.test(name) ? 'date' : 'text'}`;
  });
  return { text, values: used.map((name) => given[name] ?? '') };
}
