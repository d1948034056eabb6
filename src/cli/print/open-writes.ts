// Writes that somebody may have to see to, one sentence each, with the command that deals with them.

import { moment } from '../../core/moment.ts';
import { oneLine } from '../../core/one-line.ts';
import { count, plural } from '../../core/plural.ts';
import type { OpenWrites } from '../../writes/store/open-writes.ts';
import type { WriteKind } from '../../writes/store/write-limits.ts';
import type { WriteUse } from '../../writes/store/write-uses.ts';
import { wrap } from './wrap.ts';

type Uses = readonly Pick<WriteUse, 'account' | 'kind' | 'opens_at'>[];

/** Of `airank status`: the first few, which are the most urgent of each kind. */
const mostLines = 4;

export function openWriteLines(
  { open, uses }: { readonly open: readonly OpenWrites[]; readonly uses: Uses },
  { all, several, width }: { readonly all: boolean; readonly several: boolean; readonly width: number },
): string[] {
  const shown = all ? open : open.slice(0, mostLines);
  const lines = shown.flatMap((one) => wrap(openWriteText(one, uses, several), width, '! '));
  const hidden = open.length - shown.length;
  return hidden === 0 ? lines : [...lines, `  … and ${count(hidden)} more: airank writes`];
}

/** @param several the account is named */
export function openWriteText(open: OpenWrites, uses: Uses, several: boolean): string {
  const { account, kind, status, source, since } = open;
  const of = source === null ? '' : ` of ${source === '-' ? 'standard input' : oneLine(source, 60)}`;
  const whose = several ? `Account ${account}: ` : '';
  const what = `${whose}${amountText(open)}${of}`;
  const is = (kind === 'questions' ? open.amount : open.writes) === 1;
  const it = is ? 'it' : 'them';
  const leave = `airank writes skip${open.writes === 1 ? ` ${open.first_id}` : ''} leaves ${it}`;
  switch (status) {
    case 'unknown':
      return (
        `${what}: nobody knows whether ${is ? 'it' : 'they'} arrived (${moment(since)}). ` +
        `${sendCommand(kind, source)} --unknown resend sends ${it} again, ${leave}`
      );
    case 'refused': {
      const by = open.http_status === null ? '' : ` (${open.http_status})`;
      return `${what}: refused${by}. airank writes show ${open.first_id} says why, ${leave}`;
    }
    case 'sending':
      return `${what}: being sent, since ${moment(since)}`;
    case 'planned': {
      // Wanted at once or not at all: the next call forgets it.
      if (kind === 'measurement') return `${what}: not sent. ${leave}`;
      const opens = uses.find((use) => use.account === account && use.kind === kind)?.opens_at ?? null;
      const until = opens === null ? '' : ` until ${moment(opens)}, when the limit opens`;
      const last = open.http_status === null ? '' : ` (last answer ${open.http_status})`;
      const next = `${sendCommand(kind, source)} sends ${it}`;
      return `${what}: ${is ? 'waits' : 'wait'} since ${moment(since)}${until}${last}. ${next}`;
    }
  }
}

/** `2 uploads (812 lines)`. */
function amountText({ kind, writes, amount }: OpenWrites): string {
  if (kind === 'logs') return `${plural(writes, 'upload')} (${plural(amount, 'line')})`;
  return kind === 'questions' ? plural(amount, 'question') : plural(writes, 'measurement');
}

/** A log is named as its file was: its folder is not stored. */
function sendCommand(kind: WriteKind, source: string | null): string {
  if (kind === 'questions') return 'airank push questions';
  if (kind === 'measurement') return 'airank measure --empresa NAME';
  return `airank push logs ${source === null || source === '-' ? 'FILE' : quoted(source)}`;
}

function quoted(name: string): string {
  const text = oneLine(name);
  return /^[\w.,+@%=:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
