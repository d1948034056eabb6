// How job files are read, wherever they are: hooks of Node's loader, in src/schedule/job-file-hooks.mjs.
import { register } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../core/package-root.ts';

let isHooked = false;

/** For the whole process; more than once is once. */
export function hookJobFiles(): void {
  if (isHooked) return;
  isHooked = true;
  const root = packageRoot();
  const hooks = import.meta.url.endsWith('.ts')
    ? 'src/schedule/job-file-hooks.mjs'
    : 'dist/src/schedule/job-file-hooks.js';
  const program = pathToFileURL(join(root, 'src', '/')).href;
  register(pathToFileURL(join(root, hooks)).href, { data: { program } });
}
