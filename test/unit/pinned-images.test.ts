import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/core/package.ts';
import { namedImages, pinned } from '../digests/images.ts';

const read = (name: string) => readFile(join(packageRoot(), name), 'utf8');
const sha = `sha256:${'0a'.repeat(32)}`;

describe('the images of docker-compose.yml', () => {
  test('are named by variables, each once; the base of ours is that of the Dockerfile', async () => {
    const images = namedImages(await read('docker-compose.yml'));
    expect(images.map(({ variable }) => variable).sort()).toEqual([
      'METABASE_TAG',
      'NODE_IMAGE',
      'POSTGRES_IMAGE',
    ]);
    const [, base] = /^ARG NODE_IMAGE=(.*)$/m.exec(await read('Dockerfile')) ?? [];
    expect(images.find(({ variable }) => variable === 'NODE_IMAGE')?.value).toBe(base);
  });

  test('are told with name, tag and digest', () => {
    const metabase = { variable: 'METABASE_TAG', value: 'v1', image: 'metabase/metabase:v1' };
    expect(pinned(metabase, `"${sha}"\n`)).toBe(`METABASE_TAG=v1@${sha}`);
    expect(() => pinned(metabase, '"sha256:0a"')).toThrow('got "sha256:0a"');
    expect(() => pinned(metabase, '<no value>')).toThrow(
      'Expected the digest of metabase/metabase:v1 as sha256: and 64 digits, got <no value>',
    );
  });
});

describe('npm run digests', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'airank-digests-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs it with a docker that is this script. */
  async function digests(script: string) {
    await writeFile(join(folder, 'docker'), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, 'docker'), 0o755);
    const PATH = [folder, dirname(process.execPath), process.env['PATH']].join(delimiter);
    const args = ['--import', 'tsx', 'test/digests/main.ts'];
    return await promisify(execFile)(process.execPath, args, { cwd: packageRoot(), env: { PATH } });
  }

  test('asks for each image and prints lines for .env', async () => {
    const { stdout } = await digests(`[ "$1 $2 $3" = "buildx imagetools inspect" ] && echo '"${sha}"'`);
    expect(stdout.split('\n')).toContain(`POSTGRES_IMAGE=postgres:18-bookworm@${sha}`);
  });

  test('prints nothing where one of them cannot be asked for', async () => {
    const script = `case "$4" in metabase*) echo refused >&2; exit 1;; esac; echo '"${sha}"'`;
    await expect(digests(script)).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('No digests: '),
    });
  });
});
