// npm run schema:dump writes sql/schema.sql and the types of the tables, npm run schema:check compares them.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../../src/core/files.ts';
import { createPool } from '../../src/db/pool.ts';
import { migrate } from '../../src/install/migrate.ts';
import { dumpSchema } from './dump-schema.ts';
import { dumpTables } from './dump-tables.ts';
import { withEmptyPostgres } from './empty-postgres.ts';

// migrate refuses a database that lacks a table of it, also one that no migration makes any more.
if (process.argv.includes('--write')) await writeFile(join(packageRoot(), 'sql/schema.sql'), '');
const texts = await withEmptyPostgres(async (url) => {
  const pool = createPool({ connectionString: url, max: 2, applicationName: 'schema-dump' });
  try {
    await migrate(pool, []);
    return { 'sql/schema.sql': await dumpSchema(pool, 'tables'), 'src/db/tables.ts': await dumpTables(pool) };
  } finally {
    await pool.end();
  }
});

for (const [name, text] of Object.entries(texts)) {
  const file = join(packageRoot(), name);
  if (process.argv.includes('--write')) {
    await writeFile(file, text);
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write(`${name} does not show what sql/migrations make. Run: npm run schema:dump\n`);
    process.exitCode = 1;
  } else {
    process.stderr.write(`${name} is what sql/migrations make\n`);
  }
}
