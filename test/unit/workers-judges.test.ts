// What test/workers/main.ts calls wrong: each fault is seen, and what is right is not.
import { describe, expect, it } from 'vitest';
import type { Write } from '../workers/audit.ts';
import { differences } from '../workers/contents.ts';
import { atOnce, takeovers, twice, underOtherRuns, unnamed } from '../workers/judge-writes.ts';
import { mostInAMinute } from '../workers/most-in-a-minute.ts';
import { wrongTokens } from '../workers/tokens.ts';

function writes(...given: readonly Partial<Write>[]): Write[] {
  return given.map((write, n) => ({
    n,
    xact: `${n}`,
    process: 'w1',
    application: 'airank',
    relation: 'run',
    op: 'UPDATE',
    account: 'a',
    stream: 'prompts',
    runId: null,
    runBefore: null,
    isGivenUp: false,
    sliceId: null,
    pageNo: null,
    status: null,
    statusBefore: null,
    ...write,
  }));
}

const begins = (process: string, runId: number, account = 'a'): Partial<Write> => ({
  process,
  runId,
  account,
  op: 'INSERT',
  status: 'running',
});
const ends = (process: string, runId: number, status: string): Partial<Write> => ({
  process,
  runId,
  status,
  statusBefore: 'running',
});

const givesUp = (process: string, runId: number): Partial<Write> => ({
  process,
  runId,
  status: 'running',
  statusBefore: 'running',
  isGivenUp: true,
});
const frees = (process: string, runBefore: number): Partial<Write> => ({
  process,
  relation: 'slice',
  runBefore,
  status: 'planned',
  statusBefore: 'walking',
});

describe('after a run was taken from a process', () => {
  const taken = [begins('w1', 1), givesUp('leader', 1), frees('leader', 1), ends('leader', 1, 'stopped')];

  it('every write under it is wrong, whatever it is, and whatever the process began later', () => {
    const late = writes(
      ...taken,
      { relation: 'record', op: 'INSERT' },
      begins('w1', 2),
      { relation: 'slice', runId: 1 },
      { relation: 'record', op: 'INSERT', xact: 'publish' },
      { relation: 'slice', runId: 1, xact: 'publish' },
      ends('w1', 1, 'complete'),
    );
    expect(underOtherRuns(late)).toHaveLength(5);
  });

  it('it may free a run of another process there, and its slices', () => {
    const next = [begins('w2', 2), givesUp('w1', 2), frees('w1', 2), ends('w1', 2, 'stopped')];
    expect(underOtherRuns(writes(...taken, ...next))).toEqual([]);
  });

  it('its writes before, to other accounts and in a run that it began later are right', () => {
    const fine = writes(
      begins('w1', 1),
      { relation: 'page', op: 'INSERT', runId: 1 },
      ...taken.slice(1),
      begins('w1', 3, 'b'),
      { relation: 'record', op: 'INSERT', account: 'b' },
      begins('w2', 4),
      { relation: 'page', op: 'INSERT', process: 'w2', runId: 4 },
      ends('w2', 4, 'complete'),
      begins('w1', 2),
      { relation: 'slice', op: 'INSERT', status: 'planned' },
      { relation: 'page', op: 'INSERT', runId: 2 },
    );
    expect(underOtherRuns(fine)).toEqual([]);
  });

  it('what its own run left may be taken once that run has ended, and not before', () => {
    const next: Partial<Write>[] = [
      begins('w1', 2),
      { relation: 'slice', runId: 2, runBefore: 1, statusBefore: 'walking' },
    ];
    expect(underOtherRuns(writes(begins('w1', 1), ends('w1', 1, 'stopped'), ...next))).toEqual([]);
    expect(underOtherRuns(writes(begins('w1', 1), ...next))).toHaveLength(1);
  });
});

describe('a run that another process has', () => {
  it.each([
    ['a page of it', { relation: 'page', op: 'INSERT', runId: 1 }],
    [
      'its slice, taken before the run was',
      { relation: 'slice', runId: 2, runBefore: 1, statusBefore: 'walking' },
    ],
    ['its slices, freed before it was given up', frees('w2', 1)],
    ['its end', ends('w2', 1, 'stopped')],
  ] satisfies [string, Partial<Write>][])('is not written to: %s', (_, write) => {
    expect(
      underOtherRuns(writes(begins('w1', 1), begins('w2', 2), { process: 'w2', ...write })),
    ).toHaveLength(1);
  });
});

it('counts runs that others stopped, and not those that ended by themselves', () => {
  const told = writes(
    begins('w1', 1),
    begins('w2', 2, 'b'),
    begins('w2', 3, 'c'),
    ends('leader', 1, 'stopped'),
    ends('w2', 2, 'stopped'),
    ends('w2', 3, 'complete'),
  );
  expect(takeovers(told)).toBe(1);
});

it('sees a write whose process it cannot name', () => {
  expect(unnamed(writes(begins('w1', 1)))).toEqual([]);
  expect(unnamed(writes(begins('?', 1)))).toHaveLength(1);
});

describe('two processes on one account', () => {
  it('are seen when one begins before the other has ended', () => {
    expect(atOnce(writes(begins('w1', 1), begins('w2', 2)))).toHaveLength(1);
  });

  it('are right one after the other, and side by side on two accounts', () => {
    const fine = writes(begins('w1', 1), begins('w2', 3, 'b'), ends('w1', 1, 'complete'), begins('w2', 2));
    expect(atOnce(fine)).toEqual([]);
  });
});

describe('twice', () => {
  const page: Partial<Write> = { relation: 'page', op: 'INSERT', sliceId: 7, pageNo: 1 };
  const published: Partial<Write> = {
    relation: 'slice',
    sliceId: 7,
    status: 'complete',
    statusBefore: 'walking',
  };

  it('sees a page that is stored once more, and a slice that is published once more', () => {
    expect(twice(writes(page, published, page, published))).toHaveLength(2);
  });

  it('leaves alone what is of another slice, and a published slice whose row changes', () => {
    const fine = writes(page, { ...page, sliceId: 8 }, published, {
      ...published,
      statusBefore: 'complete',
    });
    expect(twice(fine)).toEqual([]);
  });
});

it('counts the requests of any 60 seconds, not of the minutes of the clock', () => {
  const times = [0, 50_000, 59_999, 60_000, 61_000, 109_999, 110_000];
  expect(mostInAMinute(times)).toBe(5);
  expect(mostInAMinute([])).toBe(0);
});

it('a server that saw more than was granted is wrong, and so is a ledger that lost more than deaths explain', () => {
  const tokens = { account: 'a', spent: 10, seen: 8 };
  expect(wrongTokens([tokens], 2)).toEqual([]);
  expect(wrongTokens([tokens], 1)).toHaveLength(1);
  expect(wrongTokens([{ ...tokens, seen: 11 }], 9)).toHaveLength(1);
});

it('two warehouses differ where one has other rows, or none', () => {
  const one = new Map([
    ['a prompts', '1 x'],
    ['a sources', '1 y'],
  ]);
  const other = new Map([
    ['a prompts', '1 x'],
    ['a sources', '1 z'],
    ['b prompts', '1 x'],
  ]);
  expect(differences(one, one)).toEqual([]);
  expect(differences(one, other)).toEqual(['a sources: 1 y, not 1 z', 'b prompts: nothing, not 1 x']);
});
