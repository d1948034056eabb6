// Starts the command line from a clone: dist/ while it is newer than the sources, else the sources by tsx, which take longer
// to start. Without tsx (npm ci --omit=dev) dist/ as it is.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const built = join(root, 'dist', 'src', 'start.js');
const hasBuild = existsSync(built);
const hasSources = existsSync(join(root, 'node_modules', 'tsx'));

/** True if a source that the build takes is newer than the build; other files that people put into jobs/ do not count. */
const isNewer = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .some((name) => statSync(join(root, folder, name)).mtimeMs > statSync(built).mtimeMs);

if (!hasBuild && !hasSources) {
  process.stderr.write('Expected a build in dist/, got none. Run: npm ci, which makes it\n');
  process.exitCode = 2;
} else if (hasSources && (!hasBuild || isNewer('src') || isNewer('jobs'))) {
  await import('tsx');
  await import(pathToFileURL(join(root, 'src', 'start.ts')).href);
} else await import(pathToFileURL(built).href);
