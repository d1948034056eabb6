import { expect, test } from 'vitest';
import { closing } from '../support/closing.ts';
import { get, startOpenSandbox } from '../support/sandbox-requests.ts';

const kept = closing();

test('answers 500 and 503 and cuts connections at the given rates, the same requests each time', async () => {
  const outcomes = async () => {
    const sandbox = kept(await startOpenSandbox({ faults: { errorRate: 0.3, dropRate: 0.1 } }));
    const seen: string[] = [];
    for (let order = 0; order < 60; order++) {
      const response = await get(sandbox, 'rank2').catch(() => undefined);
      seen.push(response === undefined ? 'dropped' : String(response.status));
    }
    return seen;
  };
  const first = await outcomes();
  expect(new Set(first)).toEqual(new Set(['200', '500', '503', 'dropped']));
  expect(await outcomes()).toEqual(first);
});
