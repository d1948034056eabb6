// The statement of a chart: a file of sql/dashboard, whose names become parameters.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../core/package-root.ts';

/** Whose rows, and of which dates (both included). */
export interface ChartScope {
  readonly account: string;
  /** '': the account itself, or all of its clients. */
  readonly clientId: string;
  readonly from: string;
  readonly to: string;
}

/** `:account`, `:client_id`, `:from` and `:to` of the file, numbered as they come. @throws when there is no such file */
export function chartStatement(name: string, scope: ChartScope): { text: string; values: string[] } {
  const given = { account: scope.account, client_id: scope.clientId, from: scope.from, to: scope.to };
  const used: (keyof typeof given)[] = [];
  const file = readFileSync(join(packageRoot(), 'sql', 'dashboard', `${name}.sql`), 'utf8');
  // A comment may speak of them.
  const text = file
    .replace(/^--.*$/gm, '')
    .replace(/(?<!:):(account|client_id|from|to)\b/g, (_, found: keyof typeof given) => {
      if (!used.includes(found)) used.push(found);
      const type = found === 'from' || found === 'to' ? 'date' : 'text';
      return `$${used.indexOf(found) + 1}::${type}`;
    });
  return { text, values: used.map((one) => given[one]) };
}
