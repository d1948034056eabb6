import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/core/files.ts';

const read = (name: string) => readFile(join(packageRoot(), name), 'utf8');
const sha = `sha256:${'0a'.repeat(32)}`;

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

  test('asks for each image and prints lines for .env; the base of ours is that of the Dockerfile', async () => {
    const { stdout } = await digests(`[ "$1 $2 $3" = "buildx imagetools inspect" ] && echo '"${sha}"'`);
    const lines = stdout.trimEnd().split('\n');
    const [, base] = /^ARG NODE_IMAGE=(.*)$/m.exec(await read('Dockerfile')) ?? [];
    expect(lines).toEqual([
      `NODE_IMAGE=${base}@${sha}`,
      expect.stringMatching(/^POSTGRES_IMAGE=postgres:\d+-bookworm@sha256:/),
      expect.stringMatching(/^METABASE_TAG=v[\d.]+@sha256:/),
    ]);
  });

  test.each([
    ['cannot be asked for', 'echo refused >&2; exit 1', 'No digests: '],
    ['has no digest', "echo '<no value>'; exit 0", ' as sha256: and 64 digits, got <no value>'],
  ])('prints nothing where one of them %s', async (_, says, error) => {
    const script = `case "$4" in metabase/metabase:v*) ${says};; esac; echo '"${sha}"'`;
    await expect(digests(script)).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(error),
    });
  });
});
