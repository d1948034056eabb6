// Writes the file of the mapping: each view's fields with their paths, proposals as comments, and never a value of the
// data. What people wrote in it before stays. Pure.
import { stringify } from 'yaml';
import { plural } from '../../core/text.ts';
import { parsePlace, printPlace } from '../../mapping/logical/place.ts';
import type { MappingLine } from '../../mapping/mapping-lines.ts';
import type { GroupedField, MapGroup } from './map-groups.ts';
import { type MapEntry, type MapFile, ownMark } from './read-map-file.ts';

export interface MapFacts {
  readonly groups: readonly MapGroup[];
  readonly lines: readonly MappingLine[];
  readonly configured: Readonly<Record<string, string | null>>;
  /** Also fields that nothing looks like. */
  readonly all: boolean;
}

export interface WrittenMap {
  readonly text: string;
  readonly added: number;
  readonly orphans: readonly string[];
}

const width = 78;

const head = [
  'Where fields of the curated views are in the data (airank map).',
  'Take the "# " off a proposal that is right, write another path, or null where',
  'a field is nowhere. What stands here holds; a line less is looked for again.',
  'airank map test shows what the views gain; airank map apply applies it.',
  'Comments with #: are written anew, everything else stays.',
].map((line) => `${ownMark} ${line}`);

/**
 * @param before what the file holds
 * @param decided mapped since then: it replaces lines of the file; undefined takes them out
 */
export function writeMapFile(
  facts: MapFacts,
  before?: MapFile,
  decided: ReadonlyMap<string, string | null | undefined> = new Map(),
): WrittenMap {
  const writer = new MapWriter(facts, before, decided);
  const body = facts.groups.flatMap((group) => writer.group(group));
  const end = writer.end();
  return {
    text: `${[...head, ...body, ...end].join('\n')}\n`,
    added: writer.written.filter((text) => !writer.had.has(text)).length,
    orphans: writer.orphans.map(({ field }) => field),
  };
}

class MapWriter {
  readonly written: string[] = [];
  readonly had: ReadonlySet<string>;
  readonly orphans: readonly MapEntry[];
  readonly #facts: MapFacts;
  readonly #before: MapFile | undefined;
  readonly #decided: ReadonlyMap<string, string | null | undefined>;
  readonly #lines: ReadonlyMap<string, MappingLine>;
  readonly #entries: ReadonlyMap<string, MapEntry>;

  constructor(
    facts: MapFacts,
    before: MapFile | undefined,
    decided: ReadonlyMap<string, string | null | undefined>,
  ) {
    this.#facts = facts;
    this.#before = before;
    this.#decided = decided;
    this.#lines = new Map(facts.lines.map((line) => [line.field, line]));
    const entries = before?.entries ?? [];
    this.#entries = new Map(entries.map((entry) => [entry.field, entry]));
    this.orphans = entries.filter(({ field }) => !this.#lines.has(field));
    this.had = new Set([
      ...(before?.offered ?? []),
      ...entries.map(({ field, path }) => entryText(field, path)),
    ]);
  }

  group({ view, fields }: MapGroup): string[] {
    const shown: string[] = [];
    const hidden: MappingLine[] = [];
    let others = '';
    for (const grouped of fields) {
      const line = this.#lines.get(grouped.field);
      if (line === undefined) continue;
      const texts = this.#field(line);
      if (texts.length === 0) {
        hidden.push(line);
        continue;
      }
      const shared = grouped.others.join(', ');
      if (shared !== others && shared !== '') shown.push(...alsoIn(grouped));
      others = shared;
      shown.push(...texts);
    }
    const left = hiddenText(hidden);
    if (shown.length === 0 && left === undefined) return [];
    const title = view ?? 'in no view';
    return ['', `${ownMark} ── ${title} ──`, ...(left === undefined ? [] : [left]), ...shown];
  }

  #field(line: MappingLine): string[] {
    const { field } = line;
    const entry = this.#entries.get(field);
    const comments = [...(entry?.before ?? [])];
    const trailing = entry?.trailing === undefined ? '' : `  ${entry.trailing}`;
    const configured = this.#facts.configured[field];
    if (configured !== undefined) {
      const text = entryText(field, configured);
      const own = entry === undefined ? [] : [`${this.#note(entryText(field, entry.path))}${trailing}`];
      return [...comments, ...own, `${ownMark} airank.config.yaml says, and wins: ${text}`];
    }
    const path = this.#pathOf(line, entry);
    const others = proposalsBeside(line, path).map((one) => this.#proposal(line, one));
    if (path === undefined) {
      if (others.length > 0) return [...comments, ...others];
      if (comments.length === 0 && !this.#facts.all) return [];
      return [
        ...comments,
        `# ${field}: null  ${ownMark} ${line.type}, ${line.hasData ? 'nothing looks like it' : 'no records yet'}`,
      ];
    }
    const facts = factsOf(line, path);
    const own = `${this.#note(entryText(field, path))}${trailing}${facts === '' ? '' : `  ${ownMark} ${facts}`}`;
    return [...comments, own, ...others];
  }

  /** What people mapped, else what was found; undefined: nothing. */
  #pathOf(
    { field, path, origin, isMissing }: MappingLine,
    entry: MapEntry | undefined,
  ): string | null | undefined {
    if (this.#decided.has(field)) return this.#decided.get(field);
    if (entry !== undefined) return entry.path;
    if (origin === null || (origin === 'found' && isMissing)) return undefined;
    return path;
  }

  #proposal({ field, type }: MappingLine, { path, score, filled, read }: Proposed): string {
    const sure = score === null ? 'found' : score.toFixed(2);
    return `# ${this.#note(entryText(field, path))}  ${ownMark} ${sure}, ${[type, ...shares(filled, read)].join(', ')}`;
  }

  #note(text: string): string {
    this.written.push(text);
    return text;
  }

  end(): string[] {
    const gone = this.orphans.flatMap(({ field, path, before, trailing }) => [
      ...before,
      `# ${entryText(field, path)}  # taken out: there is no such field${trailing === undefined ? '' : ` ${trailing}`}`,
    ]);
    const all = [...gone, ...(this.#before?.end ?? [])];
    return all.length === 0 ? [] : ['', ...all];
  }
}

export function entryText(field: string, path: string | null): string {
  return stringify({ [field]: path }, { lineWidth: 0 }).trimEnd();
}

type Proposed = {
  readonly path: string;
  readonly score: number | null;
  readonly filled: number;
  readonly read: number;
};

/** What else it might be: proposals, or what was found where a person says something else. */
function proposalsBeside(
  { proposals, origin, path, score, filled, read }: MappingLine,
  chosen: string | null | undefined,
): Proposed[] {
  const found =
    origin === 'found' && path !== null ? [{ path, score, filled: filled ?? 0, read: read ?? 1 }] : [];
  return [...found, ...proposals].filter((one) => !isSame(one.path, chosen));
}

function isSame(path: string, chosen: string | null | undefined): boolean {
  if (chosen === null || chosen === undefined) return false;
  try {
    return printPlace(parsePlace(path)) === printPlace(parsePlace(chosen));
  } catch {
    return false;
  }
}

function factsOf(line: MappingLine, path: string | null): string {
  if (path === null) return 'nowhere';
  const known =
    line.path !== null && isSame(line.path, path)
      ? line
      : line.proposals.find((one) => isSame(one.path, path));
  if (known === undefined) return line.type;
  return [line.type, ...shares(known.filled, known.read)].join(', ');
}

function shares(filled: number | null, read: number | null): string[] {
  return [
    ...(filled === null ? [] : [`${percent(filled)} filled`]),
    ...(read === null || read >= 1 ? [] : [`${percent(read)} read`]),
  ];
}

/** 0 and 100 only where it is so. */
export function percent(share: number): string {
  const rounded = Math.round(share * 100);
  const honest = share > 0 && rounded === 0 ? '< 1' : share < 1 && rounded === 100 ? '> 99' : String(rounded);
  return `${honest} %`;
}

/** More views than this are counted. */
const mostNamed = 6;

function alsoIn({ others }: GroupedField): string[] {
  const isMany = others.length > mostNamed;
  const names = others.slice(0, isMany ? 3 : mostNamed).join(', ');
  const text = `also in ${names}${isMany ? ` and ${others.length - 3} more views` : ''}:`;
  return wrapped(text, width - ownMark.length - 1).map((line) => `${ownMark} ${line}`);
}

function wrapped(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > most) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

function hiddenText(hidden: readonly MappingLine[]): string | undefined {
  const waiting = hidden.filter(({ hasData }) => !hasData).length;
  const hopeless = hidden.length - waiting;
  const parts = [
    ...(hopeless === 0 ? [] : [`nothing looks like ${plural(hopeless, 'field')}`]),
    ...(waiting === 0 ? [] : [`${plural(waiting, 'field')} without records yet`]),
  ];
  return parts.length === 0 ? undefined : `${ownMark} ${parts.join(', ')} (--all lists them)`;
}
