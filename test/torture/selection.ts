// Every case that the table of wanted outcomes names, and a choice of them, few enough for every run of the tests.
import { type Case, nameOf } from './case.ts';
import { wanted } from './wanted.ts';

export function casesOf(only = ''): Case[] {
  const pattern = new RegExp(only, 'i');
  return wanted
    .flatMap((row) =>
      row.kinds.flatMap((kind) =>
        (['once', 'ever'] as const).flatMap((lasts) =>
          (['never', 'had'] as const).map((history): Case => ({ wanted: row, kind, lasts, history })),
        ),
      ),
    )
    .filter((one) => pattern.test(nameOf(one)));
}

const chosen: readonly string[] = [
  'bare array / client list / for ever / had data',
  'list key missing / archive / for ever / had data',
  'empty object / client single / for ever / had data',
  'ERRORS only / ask / for ever / never had data',
  'error beside an empty list in its envelope / client history / once / had data',
  'no usual field / single / once / had data',
  'records stripped to their key / csv / for ever / had data',
  'one record 120 times / csv / once / had data',
  'a page about maintenance / single / once / never had data',
  'the list in place of details / details / once / never had data',
  'records of another client / client list / for ever / had data',
  'state unavailable / agent state / for ever / had data',
  'insufficient benchmark / benchmark / for ever / had data',
  'demand not_available / demand / for ever / had data',
  'empty list / archive / for ever / had data',
  'CSV header only / csv / for ever / had data',
  'CSV that is JSON / csv / once / had data',
  'half the records beside an error / state / once / had data',
  'a full page without its cursor / archive / once / had data',
  'page 2 is page 1 again / client list / once / had data',
  'records of another route / state / once / had data',
  'a list of one error / client list / for ever / never had data',
  'half the records / client list / for ever / had data',
  'a page lost from the middle / archive / once / had data',
  'one record gone / archive / for ever / had data',
  'one client gone / clients / for ever / had data',
  'id field renamed / clients / once / had data',
  'inserted at the start while walking / state / once / had data',
  'deleted at the start while walking / client list / once / had data',
  'sorted anew while walking / client list / for ever / had data',
  'the same page for ever / client list / for ever / had data',
  'a cycle of pages / state / for ever / never had data',
  'ends on a full page / state / once / had data',
  'cursor answers 404 / client list / for ever / had data',
  'cursor answers 431 / state / once / had data',
  'cursor of 100 KB / state / once / had data',
  'answers 404 / client list / for ever / had data',
  'answers 401 / single / for ever / had data',
  'nested 5,000 deep / state / once / had data',
  'invalid UTF-8 / single / once / had data',
  'retryAfter 121 / single / once / had data',
  'retryAfter 7200 / single / once / had data',
  'HTML with 200 / archive / once / had data',
  'truncated / csv / once / had data',
];

/** @throws RangeError when the table no longer names one of them */
export function selectedCases(): Case[] {
  const all = new Map(casesOf().map((one) => [nameOf(one), one]));
  return chosen.map((name) => {
    const found = all.get(name);
    if (found === undefined) throw new RangeError(`no such case: ${name}`);
    return found;
  });
}
