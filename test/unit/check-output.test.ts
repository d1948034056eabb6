// Tries the place where files are written to, before any work.
import { readdir, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { checkOutputFile, checkOutputFolder } from '../../src/cli/output.ts';
import { eachFolder } from '../support/temp-folder.ts';

const folder = eachFolder();

// Nobody can write there, root included.
const closed = process.platform === 'linux' ? '/proc/self' : undefined;

describe('--output of a file', () => {
  it('is in a folder that exists', async () => {
    await expect(checkOutputFile(folder('none', 'x.html'), 'none/x.html')).rejects.toThrow(
      'Expected --output to be in a folder that exists, got "none/x.html". Create the folder first',
    );
  });

  it.skipIf(closed === undefined)('is in a folder that can be written to', async () => {
    await expect(checkOutputFile(`${closed}/x.html`, 'x.html')).rejects.toThrow(
      /^Expected --output to be in a folder that can be written to, got "x\.html" \(E[A-Z]+\)$/,
    );
    await expect(checkOutputFile(`${closed}/x.html`, undefined)).rejects.toThrow(
      /^Cannot write to the folder "\/proc\/self" \(E[A-Z]+\)\. Choose another one with --output$/,
    );
  });

  it('may be there already, and trying it leaves nothing', async () => {
    const file = folder('x.html');
    await checkOutputFile(file, 'x.html');
    await writeFile(file, 'before');
    await checkOutputFile(file, 'x.html');
    expect(await readdir(folder())).toEqual(['x.html']);
  });
});

describe('--output of a folder', () => {
  it('may have to be made, which trying it does not', async () => {
    await checkOutputFolder(folder('a', 'b'), 'a/b');
    expect(await readdir(folder())).toEqual([]);
  });

  it('is no file, nor in one', async () => {
    await writeFile(folder('x'), '');
    for (const given of ['x', 'x/y']) {
      await expect(checkOutputFolder(folder(given), given)).rejects.toThrow(
        `Expected --output to be a folder, got the file "${given}"`,
      );
    }
  });
});
