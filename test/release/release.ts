// A release, step by step: what is wrong is told at once, and what can be tried is tried all the same.
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { confirm } from '../../src/cli/setup/confirm.ts';
import { messageOf } from '../../src/core/errors.ts';
import { packageRoot } from '../../src/core/package-root.ts';
import { packTarball } from '../support/install-tarball.ts';
import { newestVersion, tagText } from './changelog.ts';
import { factsAfterCi } from './facts-after-ci.ts';
import { packedFaults } from './packed-faults.ts';
import { type ReleaseFacts, readFacts } from './release-facts.ts';
import { releaseFaults } from './release-faults.ts';
import type { ReleaseFlags } from './release-flags.ts';
import { tryTarball } from './try-tarball.ts';

type Log = (line: string) => void;

/** @returns the exit code */
export async function release(flags: ReleaseFlags, log: Log): Promise<number> {
  if (flags.publish && !process.stdin.isTTY) {
    log('Expected --publish at a terminal, where it asks first, got none. Nothing was published');
    return 2;
  }
  const facts = await factsAfterCi(flags, { read: readFacts, runCi, log });
  const faults = releaseFaults(facts);
  if (faults.length > 0 && flags.publish) return giveUp(faults, log);

  const folder = resolve(packageRoot(), flags.output);
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
  const tag = await writeTagText(facts, folder);
  process.stdout.write(tag.text);
  if (faults.length > 0) return giveUp(faults, log);
  return flags.publish
    ? await publish(facts, tarball, tag.file, log)
    : sayDry(facts, flags, tarball, tag.file, log);
}

/** Nobody answers there what a test might ask, as in CI. */
async function runCi(): Promise<boolean> {
  return (await runLoud(join(packageRoot(), '.ci', 'run'), [], { stdin: 'ignore' })) === 0;
}

/** What a script of package.json prints; undefined: it failed, and said why. */
async function printed(script: string): Promise<string | undefined> {
  const parts: Buffer[] = [];
  const listen = (part: Buffer) => parts.push(part);
  const ended = await runLoud('npm', ['run', '-s', script], { listen });
  return ended === 0 ? Buffer.concat(parts).toString() : undefined;
}

async function writeTagText({ changelog, version }: ReleaseFacts, folder: string) {
  const newest = newestVersion(changelog);
  const text = tagText({ version, date: newest?.date, text: newest?.text ?? '' });
  const file = join(folder, `v${version}.txt`);
  await writeFile(file, text);
  return { file: relative(packageRoot(), file), text };
}

async function publish({ version }: ReleaseFacts, tarball: string, tag: string, log: Log): Promise<number> {
  const { stdin, stderr } = process;
  const text = `\n${relative(packageRoot(), tarball)} goes out as version ${version}, for everybody and for good.`;
  const question = { text, answer: version, isYes: false };
  if (!(await confirm({ stdin, stderr, signal: new AbortController().signal }, question))) {
    log('Nothing was published.');
    return 1;
  }
  if ((await runLoud('npm', ['publish', tarball])) !== 0) {
    log('npm publish failed (above). Nothing was tagged; fix it and begin again.');
    return 1;
  }
  log(`Published ${version}. Now: ${tagCommands(version, tag)}`);
  return 0;
}

function sayDry(
  { version, commit }: ReleaseFacts,
  flags: ReleaseFlags,
  tarball: string,
  tag: string,
  log: Log,
) {
  log(`\n${version} at ${commit} may go out. Nothing was published: this was a dry run.`);
  log(`Tarball, SBOM and tag text: ${relative(packageRoot(), join(tarball, '..'))}/`);
  log(`To publish: npm run release -- --ci ${flags.ci === undefined ? 'run' : 'green'} --publish`);
  log(`After that: ${tagCommands(version, tag)}`);
  return 0;
}

const tagCommands = (version: string, file: string) =>
  `git tag -a v${version} --cleanup=verbatim -F ${file} && git push --follow-tags`;

function giveUp(faults: readonly string[], log: Log): number {
  log('');
  for (const fault of faults) log(`✗ ${fault}`);
  log(`${faults.length === 1 ? 'This stands' : 'These stand'} in the way. Nothing was published.`);
  return 1;
}

interface LoudOptions {
  /** Gets what it writes to stdout. Default: it goes where the others' notes go. */
  readonly listen?: (part: Buffer) => void;
  readonly stdin?: 'inherit' | 'ignore';
}

/** @returns the exit code */
async function runLoud(
  command: string,
  args: readonly string[],
  { listen, stdin = 'inherit' }: LoudOptions = {},
) {
  const child = spawn(command, args, {
    cwd: packageRoot(),
    stdio: [stdin, listen ? 'pipe' : 2, 'inherit'],
  });
  if (listen) child.stdout?.on('data', listen);
  return await new Promise<number>((ended, failed) => {
    child.once('error', failed);
    child.once('close', (code) => ended(code ?? 1));
  });
}
