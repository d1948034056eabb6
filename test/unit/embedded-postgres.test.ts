import { chmod, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { WarehouseError } from '../../src/core/errors.ts';
import { findNativeTree, prepareBinaries } from '../../src/db/embedded/binaries.ts';
import { assertDiscSpace, firstClosedFolder, writeOnce } from '../../src/db/embedded/cluster.ts';
import { chooseServerUser, parsePasswd } from '../../src/db/embedded/processes.ts';
import { parsePostmasterFile, startServer } from '../../src/db/embedded/server.ts';
import { eachFolder } from '../support/temp-folder.ts';

const isRoot = process.getuid?.() === 0;
const nobody = { name: 'nobody', uid: 65_534, gid: 65_534 };

const folder = eachFolder();
let lines: string[];
const log = (line: string) => lines.push(line);

beforeEach(async () => {
  lines = [];
});

const passwd = [
  'root:x:0:0:root:/root:/bin/bash',
  '# a comment',
  'nobody:x:65534:65533::/:/sbin/nologin',
  'postgres:x:101:104:PostgreSQL:/var/lib/postgresql:/bin/bash',
  'broken:x',
].join('\n');

test('the user that runs the server for root is the owner of the cluster where there is one, else postgres, else nobody', () => {
  const known = parsePasswd(passwd);
  expect(chooseServerUser(known, { uid: 1000, gid: 1001 })).toMatchObject({ uid: 1000, gid: 1001 });
  expect(chooseServerUser(known, { uid: 0, gid: 0 })).toMatchObject({ uid: 101 });
  expect(chooseServerUser(known, undefined)).toEqual({ name: 'postgres', uid: 101, gid: 104 });
  const without = known.filter((user) => user.name !== 'postgres');
  expect(chooseServerUser(without, undefined)).toEqual({ name: 'nobody', uid: 65_534, gid: 65_533 });
  expect(() => chooseServerUser([], undefined)).toThrow(/neither "postgres".* set DATABASE_URL/);
});

test('the topmost folder that is closed to the server is named', async () => {
  const deep = folder('open', 'closed', 'deep');
  await mkdir(deep, { recursive: true });
  await chmod(folder(), 0o711);
  await chmod(folder('open', 'closed'), 0o700);
  await chmod(deep, 0o700);
  const stranger = { name: 'stranger', uid: 4_000_000, gid: 4_000_000 };
  expect(await firstClosedFolder(deep, stranger)).toBe(folder('open', 'closed'));
  expect(await firstClosedFolder(folder('open'), stranger)).toBeUndefined();
});

test('a folder is closed to its owner, or to its group, by their own bits, whatever others may', async () => {
  const { uid, gid } = await stat(folder());
  const stranger = 4_000_000;
  await chmod(folder(), 0o011);
  expect(await firstClosedFolder(folder(), { name: 'owner', uid, gid: stranger })).toBe(folder());
  await chmod(folder(), 0o701);
  expect(await firstClosedFolder(folder(), { name: 'group', uid: stranger, gid })).toBe(folder());
});

describe('processes', () => {
  test('that write a file at once find one text in it', async () => {
    const path = folder('password');
    const texts = await Promise.all(Array.from({ length: 12 }, (_, index) => writeOnce(path, `${index}\n`)));
    expect(new Set(texts)).toEqual(new Set([await readFile(path, 'utf8')]));
    expect(await readdir(folder())).toEqual(['password']);
  });

  test('a postmaster.pid is read however far it has been written', () => {
    const whole = '42\n/data\n1\n5433\n\n127.0.0.1\n  1  2\nready   \n';
    expect(parsePostmasterFile(whole)).toEqual({ pid: 42, port: 5433, status: 'ready' });
    expect(parsePostmasterFile('42\n/data\n1\n')).toEqual({ pid: 42, port: undefined, status: '' });
    expect(parsePostmasterFile('')).toBeUndefined();
  });
});

describe('the programs', () => {
  test('a platform without them is told what to do', async () => {
    const failure = findNativeTree('sunos', 'sparc');
    await expect(failure).rejects.toBeInstanceOf(WarehouseError);
    await expect(failure).rejects.toThrow(/sunos-sparc.*Set DATABASE_URL/);
  });

  test('library links that an install without scripts lacks are made', async () => {
    const tree = await copyOfPrograms(folder());
    for (const link of await linksOf(tree)) await rm(link);
    const found = await prepareBinaries({ nativeTree: tree, user: undefined, copyFolder: never, log });
    expect(found.version).toMatch(/^18\./);
    const named = JSON.parse(await readFile(join(tree, 'pg-symlinks.json'), 'utf8')) as { target: string }[];
    expect(await linksOf(tree)).toEqual(
      named.map(({ target }) => join(tree, 'lib', basename(target))).sort(),
    );
  });

  test.runIf(isRoot)('run from one shared copy when their own folder is closed to the server', async () => {
    await chmod(folder(), 0o711);
    const closed = folder('closed');
    await mkdir(closed, { mode: 0o700 });
    const nativeTree = await copyOfPrograms(closed);
    for (const link of await linksOf(nativeTree)) await rm(link);
    const copyFolder = async () => folder('shared');
    const prepare = () => prepareBinaries({ nativeTree, user: nobody, copyFolder, log });
    const [first, second] = await Promise.all([prepare(), prepare()]);
    expect(first.initdb.startsWith(folder('shared'))).toBe(true);
    expect(second).toEqual(first);
    expect(await readdir(folder('shared'))).toHaveLength(1);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(closed);
    expect((await stat(closed)).mode & 0o777).toBe(0o700);
  });

  test('that do not run at all are told with the fix', async () => {
    const nativeTree = folder('native');
    await mkdir(join(nativeTree, 'bin'), { recursive: true });
    for (const name of ['initdb', 'pg_ctl', 'postgres'])
      await writeFile(join(nativeTree, 'bin', name), '#!/nowhere\n');
    const copyFolder = async () => folder('shared');
    const prepared = prepareBinaries({ nativeTree, user: undefined, copyFolder, log });
    await expect(prepared).rejects.toThrow(/does not run on this machine.*DATABASE_URL/);
  });
});

test('a start that met another postmaster is made again, though that one came and went and wrote more', async () => {
  await mkdir(folder('data'));
  const pgCtl = folder('pg_ctl');
  const more = Array.from({ length: 20 }, (_, line) => `LOG: line ${line}`).join('\n');
  const met = `FATAL: lock file "postmaster.pid" already exists\n${more}`;
  await writeFile(pgCtl, `#!/bin/sh\n[ -e met ] && exit 0\necho '${met}' | tee met >> server.log\nexit 1\n`);
  await chmod(pgCtl, 0o755);
  const home = {
    folder: folder(),
    dataFolder: folder('data'),
    logFile: folder('server.log'),
    user: undefined,
  };
  const binaries = { version: '18.4', initdb: '', pgCtl };
  const started = await startServer(home, binaries, undefined, log, undefined);
  expect(started.startedHere).toBe(true);
});

test('a full disc is reported as one', async () => {
  await assertDiscSpace(folder(), 1);
  const tooMuch = assertDiscSpace(folder(), Number.MAX_SAFE_INTEGER);
  await expect(tooMuch).rejects.toThrow(/The disc is full: .* are free/);
});

async function copyOfPrograms(parent: string): Promise<string> {
  const tree = join(parent, 'native');
  await cp(await findNativeTree(), tree, { recursive: true, verbatimSymlinks: true });
  return tree;
}

async function linksOf(tree: string): Promise<string[]> {
  const entries = await readdir(join(tree, 'lib'), { withFileTypes: true });
  const links = entries.filter((entry) => entry.isSymbolicLink());
  return links.map(({ name }) => join(tree, 'lib', name)).sort();
}

async function never(): Promise<string> {
  throw new Error('no copy is needed');
}
