// How job files are read, wherever they are: hooks of Node's loader, in src/jobs/schedule/job-file-hooks.mjs.
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../core/package.ts';

/** Since Node 22.15, where `register` is deprecated: Node 26 warns of it. */
const { registerHooks } = nodeModule as { readonly registerHooks?: (hooks: object) => unknown };

let hooked: Promise<void> | undefined;

/** For the whole process; more than once is once. */
export async function hookJobFiles(): Promise<void> {
  hooked ??= hook();
  await hooked;
}

async function hook(): Promise<void> {
  const root = packageRoot();
  const isSource = import.meta.url.endsWith('.ts');
  const file = isSource ? 'src/jobs/schedule/job-file-hooks.mjs' : 'dist/src/jobs/schedule/job-file-hooks.js';
  const hooks = pathToFileURL(join(root, file)).href;
  const data = { program: pathToFileURL(join(root, 'src', '/')).href };
  if (registerHooks === undefined) return nodeModule.register(hooks, { data });
  const { initialize, resolve, load } = await import(hooks);
  initialize(data);
  registerHooks({ resolve, load });
}
