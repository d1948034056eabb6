// A log that is one JSON array: its elements are sent as lines are, also when the array has grown.
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  answers,
  botTime,
  idsIn,
  numbers,
  threeUploads,
  usePushWorld,
} from '../support/push-logs-in-process.ts';

const { makeWorld } = usePushWorld();

const element = (id: number) =>
  JSON.stringify({ time: botTime, path: `/p?id=${id}`, status: 200, ua: 'GPTBot/1.2' });

function arrayOf(
  count: number,
  write = (elements: readonly string[]) => `[${elements.join(',')}]\n`,
): string {
  return write(numbers(count).map(element));
}

describe('a log that is a JSON array', () => {
  it.each([
    ['on one line', undefined],
    ['with a line for each', (elements: readonly string[]) => `[\n${elements.join(',\n')}\n]\n`],
    ['that is many arrays', (elements: readonly string[]) => elements.map((one) => `[${one}]\n`).join('')],
  ])('%s is sent once, and what it has grown by the next time', async (_, write) => {
    const { push, write: writeFile, bodies } = await makeWorld();
    for (const count of [3, 5, 4_000]) {
      await push([writeFile('access.json', arrayOf(count, write))]);
      expect(idsIn(bodies)).toEqual(numbers(count));
    }
    const { sources } = await push([writeFile('access.json', arrayOf(4_000, write))]);
    expect(sources).toMatchObject([{ format: 'json', known: true, uploads: 0, unfinishedBytes: 0 }]);
    expect(bodies).toHaveLength(3);
  });

  it('is known compressed, and goes on where an upload was refused', async () => {
    const { push, write, bodies, plan } = await makeWorld();
    const text = arrayOf(threeUploads);
    plan(answers(202), answers(401));
    await push([write('access.json', text)]);
    const packed = write('access.json.gz', gzipSync(text));
    expect((await push([packed])).sources).toMatchObject([{ known: true, acceptedLines: 7_000 }]);
    expect(idsIn([...bodies.slice(0, 1), ...bodies.slice(2)])).toEqual(numbers(threeUploads));
  });

  it('of which the last element is not whole is sent up to there, and goes on through a pipe', async () => {
    const { push, write, bodies } = await makeWorld();
    const text = arrayOf(50);
    await push([write('access.json', text.slice(0, text.indexOf('id=30')))]);
    expect(idsIn(bodies)).toEqual(numbers(30));
    await push(['-'], { input: text });
    expect(idsIn(bodies)).toEqual(numbers(50));
  });
});
