// npm run release: checks, packs and tries a version, and says how to publish it. Nothing leaves this machine by it.
// npm run release -- fixture: keeps the warehouse of this version for the upgrade tests of later ones.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { messageOf } from '../../src/core/errors.ts';
import { packageRoot, packageVersion } from '../../src/core/files.ts';
import { packTarball } from '../support/install-tarball.ts';
import { makeFixture } from '../upgrade/make-fixture.ts';
import { newestVersion, type ReleaseFacts, readFacts, releaseFaults, tagText } from './release-faults.ts';
import { packedFaults, tryTarball } from './tarball.ts';

const help = `Usage: npm run release -- [options]
       npm run release -- fixture

Checks that this version may go out, packs it, installs the tarball into a
temporary folder and tries it, writes the list of its packages (SBOM) beside it,
and the images of docker-compose.yml by digest where docker can tell them, and
prints the text of the tag on stdout. Nothing leaves this machine: the last
lines say how to publish.

  --ci run       run .ci/run first (about 12 minutes)
  --ci green     CI was green for this commit
  --output DIR   where tarball, SBOM and tag text go (default: release)
  fixture        make test/upgrade/VERSION, the warehouse that later versions are
                 tested to upgrade; commit it with the release

Exit codes:
  0  it may go out
  1  something stands in the way, and each line says what to do
  2  wrong usage
`;

const log = (line: string) => process.stderr.write(`${line}\n`);

/** What is wrong is told at once, and what can be tried is tried all the same. @returns the exit code */
async function main(args: readonly string[]): Promise<number> {
  const flags = readFlags(args);
  if (flags instanceof Error) {
    log(`${messageOf(flags)}. npm run release -- --help lists what there is`);
    return 2;
  }
  const { ci, output, isFixture, isHelp } = flags;
  if (isHelp) {
    process.stdout.write(help);
    return 0;
  }
  if (isFixture) {
    await makeFixture(packageVersion(), log);
    return 0;
  }
  const facts = ci === 'run' ? await factsAfterCi() : await readFacts(ci === 'green' ? true : undefined);
  const faults = releaseFaults(facts);
  const folder = resolve(packageRoot(), output);
  await mkdir(folder, { recursive: true });
  const packages = await printed('sbom');
  if (packages === undefined) throw new Error('Expected npm run sbom to build, got a failure (above)');
  const { tarball, files } = await packTarball(packageRoot(), folder);
  log(`Packed ${files.length} files: ${relative(packageRoot(), tarball)}`);
  faults.push(...packedFaults(files));
  await tryTarball(tarball, facts.version, log).catch((error: unknown) => faults.push(messageOf(error)));
  await writeFile(tarball.replace(/\.tgz$/, '.sbom.cdx.json'), packages);
  const digests = await printed('digests');
  if (digests === undefined) log('! Without the digests of the images of docker-compose.yml');
  else await writeFile(tarball.replace(/\.tgz$/, '.images.env'), digests);
  const newest = newestVersion(facts.changelog);
  const text = tagText({ version: facts.version, date: newest?.date, text: newest?.text ?? '' });
  const tag = join(folder, `v${facts.version}.txt`);
  await writeFile(tag, text);
  process.stdout.write(text);
  log('');
  for (const fault of faults) log(`✗ ${fault}`);
  if (faults.length > 0) {
    log(`${faults.length === 1 ? 'This stands' : 'These stand'} in the way. Nothing was published.`);
    return 1;
  }
  log(`${facts.version} at ${facts.commit} may go out, for everybody and for good:`);
  log(`  npm publish ${relative(packageRoot(), tarball)}`);
  log(
    `  git tag -a v${facts.version} --cleanup=verbatim -F ${relative(packageRoot(), tag)} && git push --follow-tags`,
  );
  return 0;
}

function readFlags(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ci: { type: 'string' },
        output: { type: 'string', default: 'release' },
        help: { type: 'boolean', default: false },
      },
    });
    const { ci, output, help: isHelp } = values;
    const isFixture = positionals[0] === 'fixture' && args.length === 1;
    if (positionals.length > 0 && !isFixture) return new Error('Expected options, or fixture alone');
    if (ci !== undefined && ci !== 'run' && ci !== 'green') {
      return new Error(`Expected --ci to be run or green, got "${ci}"`);
    }
    return { ci, output, isFixture, isHelp };
  } catch (error) {
    return new Error(messageOf(error).replace(/\.?$/, ''));
  }
}

/** CI takes minutes: it runs where nothing else stands in the way, and says something of the commit that it ran on. */
async function factsAfterCi(): Promise<ReleaseFacts> {
  const before = await readFacts(true);
  if (releaseFaults(before).length > 0) return { ...before, ciIsGreen: undefined };
  // Nobody answers there what a test might ask, as in CI.
  const ci = spawn(join(packageRoot(), '.ci', 'run'), {
    cwd: packageRoot(),
    stdio: ['ignore', 2, 'inherit'],
  });
  const isGreen = (await once(ci, 'close'))[0] === 0;
  const after = await readFacts(isGreen);
  return after.commit === before.commit ? after : { ...after, ciIsGreen: undefined };
}

/** What a script of package.json prints; undefined: it failed, and said why. */
async function printed(script: string): Promise<string | undefined> {
  const options = { cwd: packageRoot(), maxBuffer: 64_000_000 };
  const ran = promisify(execFile)('npm', ['run', '-s', script], options);
  ran.child.stderr?.pipe(process.stderr);
  return await ran.then(
    ({ stdout }) => stdout,
    () => undefined,
  );
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  log(messageOf(error));
  process.exitCode = 1;
}
