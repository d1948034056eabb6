// Reads a world's table, `test/worlds/NAME.txt`: one line for each place in a body, with its values and the logical
// fields that are there. Bodies and truth both follow from it.
//
//   [actions] acciones 16+1 a client      a route, the key of its list, its records and how many come each day
//   raisedOn = {day -150..0 dd/mm/yyyy} → actions.created dmy
//   ^^asOf = {today 0 yyyy-mm-dd}         beside the list
//   outcome = {} | null 60%               an object that is often not there
//   topics = 1 | 3                        the lengths of the list of which `topics[]` says the elements
//   forecast.* = a | b                    the keys of a map
//
// Values are alternatives, each with an even share or its own (`null 60%`); after `each` they take strict turns (`each/2`: two
// records each). `-` is no member at all. In braces: a column of the cast (`{name}`), a number
// (`{0.5..3.0}`, with `~` another each day), a date in days from the first (`{day -9..0 ms}`, `{day -9.. d month yyyy}` one
// after the other; `today`: from the run date), the key of another record (`{@prompts.id}`), `{n}`, `{index}`, `{hex:12}`, `{guid}`;
// `{?id}` is an object that the account itself lacks.
// After a field: the readers it needs (`dmy`), also bears (`~point`), `list` and its members; `?`: nobody can tell.

import { readFileSync } from 'node:fs';
import { rowsField } from '../../src/mapping/logical/logical-source.ts';
import { logicalSources } from '../../src/mapping/logical/logical-sources.ts';
import { catalog } from '../../src/streams/catalog.ts';
import { type Calendar, type Column, columnOf, type Draw, madeOf, type Value } from './table-values.ts';
import { valuesAt } from './values-at.ts';

/** Every path that is right of a logical field, as `rank_now.score`, in the language of docs/views.md. */
export interface Place {
  readonly paths: readonly string[];
  /** Nobody can tell from the data alone: to be asked, not guessed. */
  readonly isDoubtful?: true;
}

export interface World {
  readonly name: string;
  /**
   * The whole body of a route, its list not cut into pages yet; undefined: there is no such route.
   * @param day 0 for the first run date
   */
  readonly body: (route: string, query: URLSearchParams, day: number) => unknown;
  /** Key of the list in the body; '': the body is the list. */
  readonly listKeys: Readonly<Record<string, string>>;
  readonly truth: Readonly<Record<string, Place>>;
}

interface Node {
  column?: Column;
  readonly below: Map<string, Node>;
}

interface Line {
  readonly node: Node;
  /** As it stands in the table, without `^^`. */
  readonly path: string;
  readonly isBeside: boolean;
  readonly fields: readonly string[];
}

interface Section {
  readonly route: string;
  /** Undefined: the body is one record. */
  readonly list: string | undefined;
  readonly count: number;
  readonly growth: number;
  /** Members that have records: the clients, all, or none, where they are the account's. */
  readonly of: 'client' | 'member' | 'account';
  readonly record: Node;
  readonly beside: Node;
  readonly lines: Line[];
}

const header = /^\[(\S+?)\](?: (\S+) (\d+)(?:([+-]\d+))?(?: a (client|member))?)?$/;

function sectionOf(line: string): Section {
  const [, route = '', list, count = '1', growth = '0', of = 'account'] = header.exec(line) ?? [];
  if (route === '') throw new Error(`Expected a section, got "${line}"`);
  return {
    ...{ route, list: list === "''" ? '' : list, count: Number(count), growth: Number(growth) },
    ...{ of: of as Section['of'], record: { below: new Map() }, beside: { below: new Map() }, lines: [] },
  };
}

function stepsOf(path: string): string[] {
  const steps = path.matchAll(/"((?:[^"\\]|\\.)*)"|\[\d*\]|[^.[\]"]+/g);
  return [...steps].map(([whole, quoted]) => quoted ?? whole);
}

function addLine(section: Section, line: string, rename: Rename): void {
  const [, beside, named = '', text = '', fields] = /^(\^\^)?(.*?) = (.*?)(?: → (.*))?$/.exec(line) ?? [];
  const path = rename(named);
  if (path === '') throw new Error(`Expected "path = values → fields" in ${section.route}, got "${line}"`);
  let node = beside === undefined ? section.record : section.beside;
  for (const step of stepsOf(path)) {
    const next: Node = node.below.get(step) ?? { below: new Map() };
    node.below.set(step, next);
    node = next;
  }
  node.column = columnOf(text, `${section.route} ${path}`);
  const isBeside = beside !== undefined;
  section.lines.push({ node, path, isBeside, fields: fields?.split(', ') ?? [] });
}

/** The value of a place with all that is below it. */
function made(node: Node, draw: Draw): unknown {
  const own = node.column === undefined ? undefined : madeOf(node.column, draw);
  if (node.below.size === 0 || (node.column !== undefined && (own === null || own === undefined))) return own;
  const elements = node.below.get('[]');
  if (elements !== undefined)
    return Array.from({ length: Number(own) }, (_, index) => made(elements, { ...draw, index }));
  const members: [string, unknown][] = [];
  for (const [step, child] of node.below) {
    if (step === '*') members.push(...entriesOf(child, draw));
    else {
      const value = made(child, draw);
      if (value !== undefined) members.push([step, value]);
    }
  }
  const isTuple = members.some(([step]) => step.startsWith('['));
  return isTuple ? members.map(([, value]) => value) : Object.fromEntries(members);
}

/** The entries of a map: a key for each alternative. */
function entriesOf({ column, below }: Node, draw: Draw): [string, unknown][] {
  return (column?.parts ?? []).map(({ make }, index) => [
    String(make(draw)),
    made({ below }, { ...draw, index }),
  ]);
}

interface Table {
  readonly calendar: Calendar;
  readonly cast: ReadonlyMap<string, readonly Value[]>;
  readonly sections: ReadonlyMap<string, Section>;
}

/** How the table's names of fields are told in another language. */
type Rename = (path: string) => string;

function readTable(name: string, rename: Rename): Table {
  const text = readFileSync(new URL(`./${name}.txt`, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const [start = '', zone = '', ...months] = lines.shift()?.split(' ') ?? [];
  const cast = new Map<string, readonly Value[]>();
  const sections = new Map<string, Section>();
  let section: Section | undefined;
  for (const line of lines) {
    if (line.startsWith('[')) {
      section = sectionOf(line);
      sections.set(section.route, section);
    } else if (section === undefined) {
      const [column = '', values = ''] = line.split(' = ');
      cast.set(column, values.split(' | ').map(castValue));
    } else addLine(section, line, rename);
  }
  return { calendar: { start: Date.parse(start), zone, months }, cast, sections };
}

const castValue = (text: string): Value =>
  text === '-' ? undefined : /^(?:null|-?\d+|".*")$/.test(text) ? (JSON.parse(text) as Value) : text;

/** @param name of `test/worlds/NAME.txt` */
export function worldOf(table: string, rename: Rename = (path) => path, name = table): World {
  const { calendar, cast, sections } = readTable(table, rename);
  const members = cast.get('id') ?? [];
  const keys = new Map<string, readonly [Section, Line]>();
  for (const section of sections.values()) {
    for (const line of section.lines)
      for (const field of line.fields) keys.set(field.split(' ')[0] ?? '', [section, line]);
  }
  const draw = (section: Section, member: number, index: number, day: number): Draw => ({
    ...{ place: section.route, member, index, serial: member * 1000 + index, day, calendar },
    cast: (column, of) => cast.get(column)?.[of],
    key: (field, { member: of, serial: at, index: place }) => {
      const [other, line] = keys.get(field) ?? [];
      if (other === undefined || line === undefined) throw new Error(`Expected a line of ${field}`);
      const turn = at + place;
      const clients = members.length - 1;
      const owner = other.of === 'client' && of === 0 ? 1 + (turn % clients) : of;
      const within = (owner === of ? turn : Math.floor(turn / clients)) % other.count;
      const found = record(other, owner, within, 0);
      return valuesAt(found, line.path)[0] as Value;
    },
  });
  const record = (section: Section, member: number, index: number, day: number) =>
    made(section.record, draw(section, member, index, day));

  function listed(section: Section, asked: number | undefined, day: number): unknown[] {
    const first = section.growth < 0 ? -section.growth * day : 0;
    const all = members.map((_, member) => member);
    const account = section.of === 'account' ? [0] : section.of === 'client' ? all.slice(1) : all;
    const end = section.count + Math.max(section.growth, 0) * day;
    return (asked === undefined ? account : [asked]).flatMap((member) =>
      Array.from({ length: end }, (_, index) => record(section, member, index, day)).slice(first),
    );
  }

  function bodyOf(section: Section, asked: number | undefined, day: number): unknown {
    const member = asked ?? 0;
    if (section.list === undefined) return record(section, member, 0, day);
    const list = listed(section, asked, day);
    if (section.list === '') return list;
    const beside = section.beside.below.size === 0 ? {} : made(section.beside, draw(section, member, 0, day));
    return { [section.list]: list, ...(beside as object) };
  }

  const known = (route: string) =>
    catalog.find((stream) => stream.route === route && stream.source.kind === 'walk');
  const truth = truthOf(sections.values());
  const isNamed = (field: string, id: string) => (one: unknown) =>
    valuesAt(one, truth[field]?.paths[0] ?? '')
      .map(String)
      .includes(id);
  return {
    name,
    truth,
    listKeys: Object.fromEntries(
      [...sections.values()].flatMap(({ route, list }) => (list === undefined ? [] : [[route, list]])),
    ),
    body: (route, query, day) => {
      const section = sections.get(route);
      const client = query.get('cliente');
      const asked =
        client === null ? 0 : members.findIndex((id, member) => member > 0 && String(id) === client);
      const id = query.get('id');
      if (section !== undefined && id !== null)
        return listed(section, undefined, day).find(isNamed('agent_runs.id', id));
      if (section !== undefined) {
        if (asked === -1) return undefined;
        return bodyOf(section, known(route)?.perClient ? asked : undefined, day);
      }
      const shown = sections.get('airank');
      if (shown === undefined || !route.startsWith('airank/')) return undefined;
      const ranks = members.map((_, member) => bodyOf(shown, member, day));
      return ranks.find(isNamed('rank_now.id', route.slice('airank/'.length)));
    },
  };
}

/** Fields of rows are told from the row, those of the record by `^`, those beside its list by `^^`. */
function truthOf(sections: Iterable<Section>): Record<string, Place> {
  const truth: Record<string, { paths: string[]; isDoubtful?: true }> = {};
  for (const { lines, list } of sections) {
    const rows = new Map(
      lines.flatMap((line) =>
        line.fields
          .filter((field) => field.endsWith('.(rows)'))
          .map((field) => [field.split('.')[0], line] as const),
      ),
    );
    for (const line of lines) {
      for (const text of line.fields) {
        const [name = '', ...forms] = text.split(' ');
        const field = name.replace('?', '');
        const [of = '', member = ''] = field.split('.');
        const source = logicalSources.find((one) => one.name === of);
        const path = pathOf(line, rows.get(of), member, list !== undefined && source?.envelope !== true);
        if (!(member === rowsField ? source?.rows : source?.fields[member]))
          throw new Error(`Expected a logical field, got ${field}`);
        const place = truth[field] ?? { paths: [] };
        place.paths.push(...waysOf(path, forms));
        truth[field] = { ...place, ...(name.endsWith('?') ? { isDoubtful: true } : {}) };
      }
    }
  }
  return truth;
}

function pathOf(line: Line, rows: Line | undefined, member: string, isListed: boolean): string {
  if (line.isBeside && isListed && (rows === undefined || !rows.isBeside)) return `^^${line.path}`;
  if (rows === undefined || member === rowsField) return line.path;
  if (line.path === rows.path) return '@key';
  const below = rows.path.endsWith('.*') ? `${rows.path}.` : `${rows.path}[].`;
  if (line.path === `${rows.path}[]`) return '';
  return line.path.startsWith(below) ? line.path.slice(below.length) : `^${line.path}`;
}

/** `dmy`: with that reader alone; `~point`: with or without; `list:title`: as a list, also of that member. */
function waysOf(path: string, forms: readonly string[]): string[] {
  const [, holder = '', index] = /^(.*)\[(\d)\]$/.exec(path) ?? [];
  if (index !== undefined && !path.endsWith('[0]')) {
    const last = `${holder}[-1]`;
    return forms.length > 0
      ? [path, last].flatMap((one) => forms.map((form) => `${one} | ${form}`))
      : [path, last, `${holder} | last`, `${holder}[] | last`];
  }
  if (index === '0' && forms.length === 0) return [path, `${holder} | first`, `${holder}[] | first`];
  const list = forms.find((form) => form.startsWith('list'));
  if (list !== undefined) {
    const members = list.split(':')[1]?.split('+') ?? [];
    const all = [path, `${path}[]`, ...members.map((member) => `${path}[].${member}`)];
    return all.flatMap((one) => [one, `${one} | join`]);
  }
  const needed = forms.filter((form) => !form.startsWith('~'));
  const with_ = (form: string) => `${path} | ${form.replace('~', '').replaceAll(',', ' | ')}`;
  return [...(needed.length > 0 ? [] : [path]), ...forms.map(with_)];
}
