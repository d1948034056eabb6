// Builds the command line into dist/: one file a command line needs to read instead of a thousand, which is
// most of the time that a short command takes, and it needs no node_modules beside it. The job files stay
// files of their own. An argument names another folder than dist/.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const outdir = resolve(root, process.argv[2] ?? 'dist');
rmSync(outdir, { recursive: true, force: true });

const jobs = readdirSync(join(root, 'jobs'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `jobs/${name}`);
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/main.ts', ...jobs],
  outbase: '.',
  outdir,
  chunkNames: 'src/[name]-[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  // pg asks for these where they are of use, and lives without them; both are optional and may be missing here.
  external: ['pg-native', 'pg-cloudflare'],
  // CommonJS packages ask for Node's own modules by require().
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  metafile: true,
  logLevel: 'warning',
});
writeFileSync(join(outdir, 'THIRD-PARTY-LICENSES.txt'), licences(Object.keys(metafile.inputs)));

/** The licences of the packages that the build holds. */
function licences(inputs) {
  const folders = new Set(
    inputs.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []),
  );
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
      const files = readdirSync(join(root, folder)).filter((file) =>
        /^(licen[cs]e|copying|notice)/i.test(file),
      );
      const texts = files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
      return [`${name} ${version} (${license})`, ...texts].join('\n\n');
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}
