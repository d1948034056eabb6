// npm run release: checks, packs and tries a version, and publishes it only when asked to and told so again.
// npm run release -- fixture: keeps the warehouse of this version for the upgrade tests of later ones.
import { messageOf } from '../../src/core/errors.ts';
import { packageVersion } from '../../src/core/package-version.ts';
import { makeFixture } from '../upgrade/make-fixture.ts';
import { release } from './release.ts';
import { readReleaseFlags, releaseHelp } from './release-flags.ts';

const log = (line: string) => process.stderr.write(`${line}\n`);

/** @returns the exit code */
async function main(args: readonly string[]): Promise<number> {
  const flags = readReleaseFlags(args);
  if (flags.kind === 'wrong') {
    log(flags.fault);
    return 2;
  }
  if (flags.kind === 'help') {
    process.stdout.write(releaseHelp);
    return 0;
  }
  if (flags.kind === 'fixture') {
    await makeFixture(packageVersion(), log);
    return 0;
  }
  return await release(flags, log);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  log(messageOf(error));
  process.exitCode = 1;
}
