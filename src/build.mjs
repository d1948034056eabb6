// Builds dist/: the program by tsc, the dashboard's script by esbuild. An argument names another folder than dist/.
// npm calls it after each install, with --omit=dev too, which does not bring both: dist/ stays as it is then.
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const outdir = resolve(root, process.argv[2] ?? 'dist');
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

if (existsSync(compiler) && existsSync(join(root, 'node_modules', 'esbuild'))) {
  rmSync(outdir, { recursive: true, force: true });
  tsc('-p', 'tsconfig.build.json');
  // Types of what `import … from 'airank-warehouse'` gives, and of nothing else.
  const types = ['--declaration', '--emitDeclarationOnly', '--allowImportingTsExtensions', '--rootDir', '.'];
  tsc('--ignoreConfig', 'src/jobs/define-job.ts', '--module', 'nodenext', '--types', '', ...types);
  const { buildBrowser } = await import('./reporting/dashboard/build-browser.mjs');
  await buildBrowser(join(outdir, 'dashboard'));
}

function tsc(...args) {
  const options = { cwd: root, stdio: 'inherit' };
  execFileSync(process.execPath, [compiler, ...args, '--outDir', outdir], options);
}
