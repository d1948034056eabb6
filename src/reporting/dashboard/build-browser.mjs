// Builds the dashboard's browser part: one script and one style sheet, with nothing to load from elsewhere.
// Called by src/build.mjs; alone it builds into dist/dashboard.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { filesWithin } from '../../build/bundled-packages.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** @returns the files that went into it, from the package's folder */
export async function buildBrowser(outdir) {
  mkdirSync(outdir, { recursive: true });
  const { metafile } = await build({
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
    metafile: true,
    logLevel: 'warning',
  });
  return filesWithin(metafile);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildBrowser(join(root, 'dist', 'dashboard'));
