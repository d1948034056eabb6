// Every case that the table of wanted outcomes names.
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
