// The browser part, as the build made it: in dist/ of the package, from the sources as well as from the build.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { WarehouseError } from '../../../core/errors.ts';
import { packageRoot } from '../../../core/package.ts';

export interface Assets {
  readonly script: string;
  readonly style: string;
}

/** @throws WarehouseError where there is no build, or one of older sources */
export function readAssets(root = packageRoot()): Assets {
  const [script, style] = ['app.js', 'app.css'].map((name) => join(root, 'dist', 'dashboard', name));
  if (script === undefined || style === undefined || !existsSync(script) || !existsSync(style)) {
    throw new WarehouseError('The browser part of the dashboard is not built. Run: npm run build');
  }
  if (isOlder(script, join(root, 'src', 'reporting', 'dashboard'))) {
    throw new WarehouseError(
      'The browser part of the dashboard is older than its sources. Run: npm run build',
    );
  }
  return { script: readFileSync(script, 'utf8'), style: readFileSync(style, 'utf8') };
}

/** What is shipped has no sources beside it. */
function isOlder(file: string, sources: string): boolean {
  if (!existsSync(sources)) return false;
  const { mtimeMs } = statSync(file);
  return readdirSync(sources, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /browser|charts|page/.test(entry.parentPath.slice(sources.length)))
    .some((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs > mtimeMs);
}
