// The files that airank push questions is given, `-` for standard input.
import { open } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { ConfigError, messageOf } from '../../core/errors.ts';
import type { ReadOptions } from '../../writes/questions/question-file.ts';
import { readQuestions } from '../../writes/questions/read-questions.ts';
import type { NamedFile } from '../../writes/questions/sort-questions.ts';
import type { Terminal } from './context.ts';

/** A day takes 200 questions; what is larger is another file than was meant. */
const mostBytes = 20_000_000;

/** @throws ConfigError with the faults of every file */
export async function readQuestionFiles(
  terminal: Terminal,
  paths: readonly string[],
  options: Omit<ReadOptions, 'name'>,
): Promise<readonly NamedFile[]> {
  if (paths.filter((path) => path === '-').length > 1) {
    throw new ConfigError(['Expected - for standard input once, got it twice']);
  }
  const files: NamedFile[] = [];
  const faults: string[] = [];
  for (const path of paths) {
    const name = path === '-' ? 'standard input' : basename(path);
    try {
      const bytes =
        path === '-' ? await readInput(terminal) : await readFile(resolve(terminal.cwd, path), path);
      files.push({ name, ...readQuestions(bytes, { ...options, name }) });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(...error.faults);
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return files;
}

async function readInput({ stdin }: Terminal): Promise<Uint8Array> {
  if (stdin === undefined || stdin.isTTY) {
    throw new ConfigError([
      'Expected questions from a pipe for -, got a terminal: cat questions.txt | airank push questions -',
    ]);
  }
  return await upToMost(stdin, 'standard input');
}

async function readFile(path: string, given: string): Promise<Uint8Array> {
  try {
    const file = await open(path);
    return await upToMost(file.createReadStream(), given);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError([`Expected a file that can be read, got "${given}": ${messageOf(error)}`]);
  }
}

async function upToMost(source: AsyncIterable<unknown>, name: string): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of source) {
    const chunk = Buffer.isBuffer(part) ? part : Buffer.from(String(part));
    bytes += chunk.length;
    if (bytes > mostBytes) {
      throw new ConfigError([
        `Expected at most ${mostBytes / 1_000_000} MB of questions in ${name}, got more. Give a part of it`,
      ]);
    }
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}
