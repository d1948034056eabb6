// Builds the command line into dist/: one file a command line needs to read instead of a thousand, which is
// most of the time that a short command takes, and it needs no node_modules beside it. The job files stay
// files of their own, and so does what a job file imports, with its types. An argument names another folder
// than dist/.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesWithin, packagesOf } from './build/bundled-packages.mjs';
import { sbom } from './build/sbom.mjs';
import { thirdPartyLicences } from './build/third-party-licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const outdir = resolve(root, process.argv[2] ?? 'dist');

/** What `import … from 'airank-warehouse'` gives; package.json names it too. */
const publicEntry = 'src/jobs/define-job.ts';

if (!existsSync(join(root, 'node_modules', 'esbuild')) && existsSync(join(outdir, 'src', 'main.js'))) {
  process.stderr.write('The build stays as it is: the packages that it takes are not installed.\n');
  process.exit();
}
const { build } = await import('esbuild');
const { buildBrowser } = await import('./reporting/dashboard/build-browser.mjs');
rmSync(outdir, { recursive: true, force: true });

/** Node's loader reads it by this path. */
const hooks = 'src/jobs/schedule/job-file-hooks.mjs';

const jobs = readdirSync(join(root, 'jobs'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `jobs/${name}`);
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/start.ts', 'src/main.ts', publicEntry, hooks, ...jobs],
  outbase: '.',
  outdir,
  chunkNames: 'src/[name]-[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  // pg asks for these where they are of use, and lives without them; both are optional and may be missing here.
  // The queue's library would read a configuration in TypeScript, which it is never given.
  external: ['pg-native', 'pg-cloudflare', 'typescript'],
  // CommonJS packages ask for Node's own modules by require().
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  metafile: true,
  logLevel: 'warning',
});
const inBrowser = await buildBrowser(join(outdir, 'dashboard'));
const packages = packagesOf(root, [...filesWithin(metafile), ...inBrowser]);
writeFileSync(join(outdir, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicences(packages));
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const bundled = packages.map(({ folder }) => folder);
writeFileSync(join(outdir, 'sbom.cdx.json'), `${JSON.stringify(sbom(lock, bundled), null, 2)}\n`);
declareTypes();

/** The types of the public entry and of what it names. */
function declareTypes() {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const to = ['--declaration', '--emitDeclarationOnly', '--rootDir', root, '--outDir', outdir];
  const like = ['--target', 'es2023', '--module', 'nodenext', '--strict', '--allowImportingTsExtensions'];
  const entry = join(root, publicEntry);
  execFileSync(process.execPath, [compiler, '--ignoreConfig', entry, ...to, ...like, '--types', ''], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  for (const name of readdirSync(outdir, { recursive: true }).filter((file) => file.endsWith('.d.ts'))) {
    const file = join(outdir, name);
    // Compilers of users may not take .ts in an import.
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
}
