// The catalogue of the curated views: what a row is, when it happened, what each column says and which logical fields it
// is made from. It is said once, at the head of sql/bi/<view>.sql, in lines `name: text`; those of columns are indented
// and may end with ` <- fields`:
//
//   a or b   the first that is there
//   a and b  null where one is
//   a | b    rows of one kind come from the one, of another from the other
//   data     what needs no mapping: keys, dates of slices
//
// `rank.score` stands for that field of each of the four sources of the AI Rank.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { escapeIdentifier, escapeLiteral } from 'pg';
import { packageRoot } from '../../core/package-root.ts';
import { combine, known, type Origin } from './origin.ts';

export interface CatalogueView {
  /** Without its schema, which is bi. */
  readonly name: string;
  /** What a row is, as `a client and method`. */
  readonly row: string;
  /** The question that it answers. */
  readonly question: string;
  /** The date that tells when a row happened or was so. Undefined: the view says what is so now. */
  readonly time: string | undefined;
  /** The run date that tells whether the data is fresh. Undefined: none does. */
  readonly loaded: string | undefined;
  /** The date whose newest one is shown: the one above, else the time, unless the view says another. */
  readonly newest: string | undefined;
  /** In the order of the file; first those that most views have. */
  readonly columns: readonly CatalogueColumn[];
}

export interface CatalogueColumn {
  readonly name: string;
  readonly comment: string;
  readonly origin: Origin;
}

const clientName =
  "The client's name; of the account itself its own, or what the configuration calls it. " +
  '<- clients.name | (visibility_now.name | rank_now.name) or data';

/** Columns of many views, which name them as `also: client, run_date, is_latest`; `client` is the first four. */
const commonColumns: Readonly<Record<string, string>> = {
  client_key:
    'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.',
  account: 'Account that the data was read with.',
  client_id: "The client's identifier as the API gives it; empty for the account itself.",
  client_name: clientName,
  run_date: 'Run date that the row is of: the newest complete one.',
  is_latest: 'Whether the row is of the newest complete run date of this client; of one that left, none is.',
};

const clientColumns = ['client_key', 'account', 'client_id', 'client_name'];
const rankSources = ['visibility_now', 'rank_now', 'visibility_history', 'rank_history'];

let read: readonly CatalogueView[] | undefined;

/** Every view of schema bi that this version has, by name. */
export function catalogue(): readonly CatalogueView[] {
  const folder = join(packageRoot(), 'sql', 'bi');
  read ??= readdirSync(folder)
    .filter((name) => /^[^_].*\.sql$/.test(name))
    .sort()
    .map((name) => catalogueView(name, readFileSync(join(folder, name), 'utf8')));
  return read;
}

/**
 * What a file says of its view.
 * @throws Error when it has no head, or the head or a column is not as it has to be
 */
export function catalogueView(file: string, text: string): CatalogueView {
  const name = basename(file, '.sql');
  const [, head = ''] = /^\/\*\n(.*?)\n\*\/\n/s.exec(text) ?? [];
  const said = new Map<string, string>();
  const own = new Map<string, string>();
  for (const line of head.split('\n')) {
    const [, indent, key = '', value = ''] = /^( {2})?(\w+): (.+)$/.exec(line) ?? [];
    if (key === '')
      throw new Error(`Expected lines "name: text" at the head of sql/bi/${file}, got "${line}"`);
    (indent === undefined ? said : own).set(key, value);
  }
  const [row, question] = [said.get('row'), said.get('question')];
  if (row === undefined || question === undefined)
    throw new Error(`Expected "row: …" and "question: …" at the head of sql/bi/${file}`);
  const also = (said.get('also') ?? '')
    .split(', ')
    .flatMap((one) => (one === 'client' ? clientColumns : one));
  const common = Object.entries(commonColumns).filter(
    ([column]) => also.includes(column) && !own.has(column),
  );
  const columns = [...common, ...own].map(([column, text]) => catalogueColumn(column, text));
  const hasRunDate = columns.some((column) => column.name === 'run_date');
  const loaded = said.get('loaded') ?? (hasRunDate ? 'run_date' : undefined);
  return {
    name,
    row,
    question,
    time: said.get('time'),
    loaded: loaded === 'none' ? undefined : loaded,
    newest: said.get('newest') ?? (loaded === 'none' ? said.get('time') : (loaded ?? said.get('time'))),
    columns,
  };
}

function catalogueColumn(name: string, text: string): CatalogueColumn {
  const [comment = '', fields] = text.split(' <- ');
  return { name, comment, origin: fields === undefined ? known : parseOrigin(fields) };
}

/** The statements that tell Postgres the same, for whatever reads comments there. */
export function commentsOn({ name, row, question, columns }: CatalogueView): string {
  const view = `bi.${escapeIdentifier(name)}`;
  return [
    `comment on view ${view} is ${escapeLiteral(`Grain: one row ${row}. ${question}`)};`,
    ...columns.map(
      (column) =>
        `comment on column ${view}.${escapeIdentifier(column.name)} is ${escapeLiteral(column.comment)};`,
    ),
  ].join('\n');
}

/** `a or b`, `a and b`, `a | b`, with parentheses; `|` binds least, `and` most. */
export function parseOrigin(text: string): Origin {
  const tokens = text.match(/[()|]|[\w.]+/g) ?? [];
  const parts = (kind: 'each' | 'any' | 'all', word: string, part: () => Origin): Origin => {
    const of = [part()];
    while (tokens[0] === word) {
      tokens.shift();
      of.push(part());
    }
    return of.length === 1 && of[0] !== undefined ? of[0] : combine(kind, of);
  };
  const each = (): Origin => parts('each', '|', any);
  const any = (): Origin => parts('any', 'or', all);
  const all = (): Origin => parts('all', 'and', one);
  const one = (): Origin => {
    const token = tokens.shift() ?? '';
    if (token === '(') {
      const inner = each();
      tokens.shift();
      return inner;
    }
    if (token === 'data') return known;
    const [source = '', field = ''] = token.split('.');
    if (source !== 'rank') return { kind: 'field', source, field };
    return combine(
      'each',
      rankSources.map((rank): Origin => ({ kind: 'field', source: rank, field })),
    );
  };
  return each();
}
