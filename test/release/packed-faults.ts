// What must be in the tarball, and what must not.
import type { PackedFile } from '../support/install-tarball.ts';

const needed = [
  'dist/src/start.js',
  'dist/THIRD-PARTY-LICENSES.txt',
  'sql/migrations/000001_create_tables.sql',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
];

/** Sources, tests, settings with keys. Types and examples are meant for users. */
const unwanted = [/^(src|test|node_modules|jobs)\//, /(^|\/)\.env$/, /^(?!examples\/).*(?<!\.d)\.ts$/];

const mostBytes = 15_000_000;

/** One text each; none: it holds what it should. */
export function packedFaults(files: readonly PackedFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path));
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const lacking = needed.filter((path) => !paths.has(path));
  const wrong = files.filter(({ path }) => unwanted.some((pattern) => pattern.test(path)));
  return [
    ...lacking.map((path) => `Expected ${path} in the tarball, got none. Look at "files" in package.json`),
    ...wrong.map(({ path }) => `Expected no ${path} in the tarball. Look at "files" in package.json`),
    ...(bytes > mostBytes
      ? [`Expected a tarball of at most ${mostBytes} bytes unpacked, got ${bytes}. Look at what is in dist`]
      : []),
  ];
}
