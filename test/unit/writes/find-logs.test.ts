import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { findLogs } from '../../../src/writes/logs/open-log.ts';
import { oneFolder } from '../../support/temp-folder.ts';

const folder = oneFolder();

beforeAll(() => {
  mkdirSync(join(folder, 'access.log.d'));
});
function write(name: string, writtenS: number): void {
  writeFileSync(join(folder, name), '');
  utimesSync(join(folder, name), writtenS, writtenS);
}

async function found(...patterns: string[]) {
  const { paths, missing } = await findLogs(patterns, folder);
  return { names: paths.map((path) => basename(path)), missing };
}

it('takes logs in the order in which they were written, whatever rotation calls them', async () => {
  const names = ['a-2026-11-20.log', 'a-2026-11-21.log', 'a.log'];
  for (const [place, name] of names.entries()) write(name, place + 1);
  expect((await found('a*.log')).names).toEqual(names);
});

it('takes the higher number first where they were written at the same time', async () => {
  for (const name of ['b.log', 'b.log.1', 'b.log.10', 'b.log.2']) write(name, 5);
  expect((await found('b.log*')).names).toEqual(['b.log.10', 'b.log.2', 'b.log.1', 'b.log']);
});

it('takes each log once and no folder, and names what is not there', async () => {
  write('access.log', 1);
  const missing = ['gone.log', 'no/such/*.log'];
  const all = await found('access.log*', join(folder, 'access.log'), ...missing);
  expect(all).toEqual({ names: ['access.log'], missing });
});
