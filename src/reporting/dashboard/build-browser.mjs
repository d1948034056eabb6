// Builds the dashboard's browser part: one script and one style sheet, with nothing to load from elsewhere.
// Called by src/build.mjs; alone it builds into dist/dashboard.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export async function buildBrowser(outdir) {
  await build({
    absWorkingDir: root,
    entryPoints: [
      { in: 'src/reporting/dashboard/browser/main.ts', out: 'app' },
      { in: 'src/reporting/dashboard/browser/app.css', out: 'app' },
    ],
    outdir,
    bundle: true,
    minify: true,
    platform: 'browser',
    target: ['es2022'],
    format: 'iife',
    charset: 'utf8',
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildBrowser(join(root, 'dist', 'dashboard'));
