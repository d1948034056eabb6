// A file is written whole or not at all, and its place is tried before any work.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkOutputFile, checkOutputFolder } from '../../src/cli/output.ts';
import { writeWhole } from '../../src/core/files.ts';
import { eachFolder } from '../support/temp-folder.ts';

const folder = eachFolder();
let file: string;

beforeEach(async () => {
  file = folder('x.html');
});

async function* partsOf(text: string, times: number) {
  for (let done = 0; done < times; done++) {
    await new Promise((resolve) => setImmediate(resolve));
    yield text;
  }
}

describe('a file that is written', () => {
  it('is that of one writer where several write it at once', async () => {
    await Promise.all(['a', 'b', 'c'].map((letter) => writeWhole(file, partsOf(letter.repeat(1000), 50))));
    expect(await readFile(file, 'utf8')).toMatch(/^(a{50000}|b{50000}|c{50000})$/);
    expect(await readdir(folder())).toEqual(['x.html']);
  });

  it('leaves what was there when it fails, and files beside it alone', async () => {
    const beside = `${file}.part`;
    await writeFile(file, 'before');
    await writeFile(beside, 'mine');
    const failing = async function* () {
      yield 'half';
      throw new Error('lost');
    };
    await expect(writeWhole(file, failing())).rejects.toThrow('lost');
    expect(await readFile(file, 'utf8')).toBe('before');
    await writeWhole(file, partsOf('after', 1));
    expect(await readFile(file, 'utf8')).toBe('after');
    expect(await readFile(beside, 'utf8')).toBe('mine');
    expect((await readdir(folder())).sort()).toEqual(['x.html', 'x.html.part']);
  });

  it('is read by its owner and group alone', async () => {
    await writeWhole(file, partsOf('a', 1));
    expect((await stat(file)).mode & 0o137).toBe(0);
  });
});

// Nobody can write there, root included.
const closed = process.platform === 'linux' ? '/proc/self' : undefined;

describe('--output of a file', () => {
  it('is in a folder that exists', async () => {
    const text =
      'Expected --output to be in a folder that exists, got "none/x.html". Create the folder first';
    await expect(checkOutputFile(folder('none', 'x.html'), 'none/x.html')).rejects.toThrow(text);
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
      const text = `Expected --output to be a folder, got the file "${given}"`;
      await expect(checkOutputFolder(folder(given), given)).rejects.toThrow(text);
    }
  });
});
