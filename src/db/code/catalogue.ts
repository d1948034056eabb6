// The catalogue of the views that people read: a text for each view and column, and the logical fields behind a
// column. It stands in sql/<schema>/<view>.sql: for the view in its first lines, `-- name: text`; for a column behind
// it in the select list, `x.rank as position, -- text <- fields`, where fields are:
//
//   a or b   the first that is there
//   a and b  null where one is
//   a | b    rows of one kind come from the one, of another from the other
//   data     what needs no mapping: keys, dates of slices
//
// A column that aggregates otherwise than its name tells says how in brackets, before ` <- ` (measures.ts).
//
// `rank.score` stands for that field of each of the four sources of the AI Rank. A view of `history: <source>` is there
// twice: bi says what is so now, bi_history what it said on each run date.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { escapeIdentifier, escapeLiteral } from 'pg';
import { packageRoot } from '../../core/files.ts';
import { curatedSchemas } from '../schemas.ts';
import { measuresOf } from './measures.ts';
import { combine, known, type Origin } from './origin.ts';

/** A view's file is sql/<schema>/<view>.sql; most of bi_history are made from those of bi. */
export type ViewSchema = (typeof curatedSchemas)[number];

export interface CatalogueView {
  readonly schema: ViewSchema;
  readonly name: string;
  /** `bi.rank_trend` */
  readonly view: string;
  readonly row: string;
  readonly question: string;
  /** The question of an agency that it helps to answer; a key of `viewGroups`. */
  readonly group: string;
  /** Half a sentence for a list of views. Undefined: the list shows the name alone. */
  readonly line: string | undefined;
  /** The date at which a row happened or held. Undefined: the view shows the present. */
  readonly time: string | undefined;
  /** The run date that shows how fresh the data is. Undefined: there is none. */
  readonly loaded: string | undefined;
  /** The date whose newest value is shown: `loaded`, else `time`, unless the view names another. */
  readonly newest: string | undefined;
  readonly columns: readonly CatalogueColumn[];
  readonly statement: string;
}

export interface CatalogueColumn {
  readonly name: string;
  readonly comment: string;
  /** The aggregation, if the name does not tell it (measures.ts). */
  readonly aggregates?: string | undefined;
  readonly origin: Origin;
}

/** Groups of views by the word in their files, with their questions, in the order of listing. */
export const viewGroups: Readonly<Record<string, string>> = {
  visible: 'How visible is the brand?',
  answers: 'What do engines say, and to which questions?',
  sources: 'Where do they get it from?',
  rivals: 'What do rivals do?',
  business: 'What does it bring?',
  actions: 'What did we do, and did it help?',
  data: 'Is the data there?',
};

/** Texts for columns of many views, where the file of a view has none. */
export const commonColumns: Readonly<Record<string, string>> = {
  client_key:
    'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.',
  account: 'Account that the data was read with.',
  client_id: "The client's identifier as the API gives it; empty for the account itself.",
  client_name:
    "The client's name; for the account itself its own, or the one in the configuration. Where two clients share a name, account or id follows in brackets. " +
    '<- clients.name | (visibility_now.name | rank_now.name) or data',
  client_sector: 'Sector of the client, as the API words it now, also on earlier dates. <- clients.sector',
  client_country: 'Country of the client, as the API words it now, also on earlier dates. <- clients.country',
  run_date: 'Run date of the row: the newest complete one.',
  is_latest: 'True on the last complete run date of the stream and client; never for a client that left.',
  is_week_end: 'True on the last run date of its week so far, Monday to Sunday.',
  is_month_end: 'True on the last run date of its month so far.',
};

/** The beginning of most select lists. */
const clientColumns =
  /x\.account \|\| '\/' \|\| x\.client_id as client_key, x\.account, x\.client_id, c\.client_name, [^\n]*?client_country,/;

const rankSources = ['visibility_now', 'rank_now', 'visibility_history', 'rank_history'];

let read: readonly CatalogueView[] | undefined;

/** Every view of bi, bi_history and ops that this version has, in that order and by name. */
export function catalogue(): readonly CatalogueView[] {
  read ??= readCatalogue(join(packageRoot(), 'sql'));
  return read;
}

export function readCatalogue(folder: string): readonly CatalogueView[] {
  return curatedSchemas
    .flatMap((schema) => {
      const names = readdirSync(join(folder, schema)).filter((name) => /^[^_].*\.sql$/.test(name));
      return names.sort().flatMap((name) => viewsOf(name, readFileSync(join(folder, schema, name), 'utf8')));
    })
    .sort((a, b) => (a.view < b.view ? -1 : 1));
}

/**
 * Reads the view that a file makes, and the one of bi_history that is made from it.
 * @throws Error when the file is not as it has to be
 */
function viewsOf(file: string, text: string): readonly CatalogueView[] {
  const now = catalogueView(file, text);
  const [, source] = /^-- history: (\w+)$/m.exec(text) ?? [];
  return source === undefined ? [now] : [now, catalogueView(file, historyOf(file, text, source))];
}

function catalogueView(file: string, text: string): CatalogueView {
  const [, schema, select = ''] =
    /^create or replace view (\w+)\.\w+ as\nselect(.*?)\nfrom /ms.exec(text) ?? [];
  const said = (name: string) => new RegExp(`^-- ${name}: (.+)$`, 'm').exec(text)?.[1];
  const [row, question, group = ''] = [said('row'), said('question'), said('group')];
  if (schema === undefined || row === undefined || question === undefined || !(group in viewGroups)) {
    throw new Error(
      `Expected "-- row: …", "-- question: …", "-- group: …" (${Object.keys(viewGroups).join(', ')}) and "create or replace view … as", "select …" and "from …" at the ` +
        `beginning of lines of sql/…/${file}`,
    );
  }
  const columns = select
    .replace(clientColumns, '\nclient_key\naccount\nclient_id\nclient_name\nclient_sector\nclient_country\n')
    .split('\n')
    .flatMap(columnIn);
  const stated = said('loaded') ?? (columns.some(({ name }) => name === 'run_date') ? 'run_date' : 'none');
  const loaded = stated === 'none' ? undefined : stated;
  return {
    schema: schema as ViewSchema,
    name: basename(file, '.sql'),
    view: `${schema}.${basename(file, '.sql')}`,
    row,
    question,
    group,
    line: said('line'),
    time: said('time'),
    loaded,
    newest: said('newest') ?? loaded ?? said('time'),
    columns,
    statement: text,
  };
}

/** Reads the column that ends in a line, with its text behind it; a common column has none. */
function columnIn(line: string): CatalogueColumn[] {
  const [code = '', own] = line.split(' -- ');
  const name = /(\w+),?$/.exec(code)?.[1] ?? '';
  const text = own ?? (/^ {0,2}\S/.test(code) ? commonColumns[name] : undefined);
  if (name === '' || text === undefined) return [];
  const [said = '', fields] = text.split(' <- ');
  const [, comment = '', aggregates] = /^(.*?)(?: \[(.+)\])?$/.exec(said) ?? [];
  return [{ name, comment, aggregates, origin: fields === undefined ? known : parseOrigin(fields) }];
}

/**
 * Makes the same view for each run date: the run date follows the client, and further columns tell which date
 * is the newest, and the last of its week and month.
 */
function historyOf(file: string, text: string, source: string): string {
  const swaps: readonly (readonly [RegExp, string])[] = [
    [/^-- row: (.*?)(?:, as it is now)?$/m, '-- row: $1 on a run date\n-- time: run_date'],
    [/(?<=^create or replace view )bi\./m, 'bi_history.'],
    [new RegExp(`\\bbi_map\\.${source}\\b`, 'g'), `bi_map.${source}_daily`],
    [/\bc\.left_on is null;$/m, '(c.absence @> x.run_date) is not true;'],
    [
      /^ {2}x\.run_date(?=,?$)/m,
      `  x.next_date is null and c.left_on is null as is_latest,
  (date_trunc('week', x.next_date::timestamp) > x.run_date) is not false as is_week_end,
  (date_trunc('month', x.next_date::timestamp) > x.run_date) is not false as is_month_end`,
    ],
    [
      /^select .*$/m,
      '$&\n  x.run_date, -- Run date: one row a day with a complete snapshot, other days are gaps.',
    ],
  ];
  return swaps.reduce((before, [of, by]) => {
    const after = before.replace(of, by);
    if (after === before) throw new Error(`Expected ${of} in sql/bi/${file}, as it has a history`);
    return after;
  }, text);
}

/** Returns the statements that make the view, and comments for tools that read them in Postgres. */
export function installText(of: CatalogueView): string {
  const { schema, name, row, question, columns, statement } = of;
  const measures = new Map(measuresOf(of).map((measure) => [measure.column, measure]));
  const view = `${schema}.${escapeIdentifier(name)}`;
  return [
    statement,
    `comment on view ${view} is ${escapeLiteral(`Grain: one row ${row}. ${question}`)};`,
    ...columns.map(({ name, comment }) => {
      const about = measures.get(name)?.about;
      const text = about === undefined ? comment : `${comment} ${about}`;
      return `comment on column ${view}.${escapeIdentifier(name)} is ${escapeLiteral(text)};`;
    }),
  ].join('\n');
}

/** `a or b`, `a and b`, `a | b`, with parentheses; `|` binds least, `and` most. */
function parseOrigin(text: string): Origin {
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
