// The command line of npm run release.
import { parseArgs } from 'node:util';

export interface ReleaseFlags {
  readonly kind: 'release';
  readonly publish: boolean;
  /** `run`: by this. `green`: somebody saw it. */
  readonly ci: 'run' | 'green' | undefined;
  /** Folder for what is made. */
  readonly output: string;
}

type Asked = ReleaseFlags | { kind: 'fixture' } | { kind: 'help' } | { kind: 'wrong'; fault: string };

export const releaseHelp = `Usage: npm run release -- [options]
       npm run release -- fixture

Checks that this version may go out, packs it, installs the tarball into a
temporary folder and tries it, writes the list of its packages (SBOM) beside it,
and the images of docker-compose.yml by digest where docker can tell them, and
prints the text of the tag on stdout. Nothing leaves this machine without
--publish, which asks first.

  --ci run       run .ci/run first (about 12 minutes)
  --ci green     CI was green for this commit
  --output DIR   where tarball, SBOM and tag text go (default: release)
  --publish      npm publish the tarball, after a question at the terminal
  fixture        make test/upgrade/VERSION, the warehouse that later versions are
                 tested to upgrade; commit it with the release

Exit codes:
  0  it may go out (with --publish: it went out)
  1  something stands in the way, and each line says what to do
  2  wrong usage

Examples:
  $ npm run release
  $ npm run release -- --ci run
  $ npm run release -- --ci green --publish
  $ npm run release -- fixture
`;

export function readReleaseFlags(args: readonly string[]): Asked {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ci: { type: 'string' },
        output: { type: 'string', default: 'release' },
        publish: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) return { kind: 'help' };
    if (positionals.length === 1 && positionals[0] === 'fixture' && args.length === 1) {
      return { kind: 'fixture' };
    }
    if (positionals.length > 0) return wrong(`Expected options, or fixture alone, got "${args.join(' ')}"`);
    const { ci, output, publish } = values;
    if (ci !== undefined && ci !== 'run' && ci !== 'green') {
      return wrong(`Expected --ci to be run or green, got "${ci}"`);
    }
    return { kind: 'release', publish, ci, output };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return wrong(`Expected options that there are, got "${args.join(' ')}"`);
  }
}

function wrong(fault: string): Asked {
  return { kind: 'wrong', fault: `${fault}. npm run release -- --help lists what there is` };
}
