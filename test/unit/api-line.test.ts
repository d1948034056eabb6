import { describe, expect, it } from 'vitest';
import { createLine } from '../../src/api/line.ts';

describe('the line of waiting work', () => {
  it('hands out the most urgent first, then the first come', async () => {
    const line = createLine<string>();
    for (const [priority, work] of [
      [5, 'a'],
      [9, 'last'],
      [5, 'b'],
      [0, 'first'],
      [-3, 'as urgent, later'],
      [12, 'as late, later'],
    ] as const) {
      line.push(priority, work);
    }
    expect(line.length).toBe(6);
    const taken: unknown[] = [];
    while (line.length > 0) taken.push(await line.next());
    expect(taken).toEqual(['first', 'as urgent, later', 'a', 'b', 'last', 'as late, later']);
  });

  it('hands work to whoever has waited longest', async () => {
    const line = createLine<string>();
    const takers = [line.next(), line.next()];
    expect(line.idle).toBe(2);
    line.push(5, 'a');
    expect(line.idle).toBe(1);
    line.push(5, 'b');
    await expect(Promise.all(takers)).resolves.toEqual(['a', 'b']);
    expect(line.length).toBe(0);
  });

  it('sends away who waits once it is closed, and still hands out what is pushed', async () => {
    const line = createLine<string>();
    const waiting = line.next();
    line.close();
    await expect(waiting).resolves.toBeUndefined();
    line.push(5, 'late');
    await expect(line.next()).resolves.toBe('late');
    await expect(line.next()).resolves.toBeUndefined();
  });
});
