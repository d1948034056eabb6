// The limits of what is sent, below the budget of requests.

import { moment } from '../../core/moment.ts';
import { oneLine } from '../../core/one-line.ts';
import type { WriteKind } from '../../writes/store/write-limits.ts';
import type { WriteUse } from '../../writes/store/write-uses.ts';
import { type Cell, table } from './table.ts';
import { wrap } from './wrap.ts';

const names: Readonly<Record<WriteKind, string>> = {
  logs: 'uploads of logs in 60 minutes',
  questions: 'questions a day',
  measurement: 'measurements a day',
};

export function writeUseLines(uses: readonly WriteUse[], width: number): string[] {
  if (uses.length === 0) return [];
  const rows = uses.map((use): Cell[] => [names[use.kind], use.used, use.most, opensText(use)]);
  const closed = uses.flatMap((use) =>
    use.closed_until === null
      ? []
      : wrap(
          `${names[use.kind]}: refused by the service until ${moment(use.closed_until)}, ${oneLine(use.closed_reason ?? '', 120)}`,
          width,
          '  ! ',
        ),
  );
  return [
    '',
    ...table([['sent', 'used', 'most', 'next one'], ...rows], { width, indent: '  ', wraps: ['next one'] }),
    ...closed,
  ];
}

function opensText({ opens_at: opensAt }: WriteUse): string {
  return opensAt === null ? 'now' : moment(opensAt);
}
