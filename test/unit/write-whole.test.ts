// A file is written whole or not at all, whoever writes it at the same time.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
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
