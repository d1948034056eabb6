// Finds the fields of a record that look like its identifier by their names alone. The names of fields are
// not documented (api.md, "Not documented"), so whoever uses one also looks at its values.
import { isObject } from '../core/json.ts';
import type { KeyPath } from './stream.ts';

/** Words that carry no meaning in a field name. */
const small = new Set(['de', 'del', 'el', 'la', 'of', 'the']);

/** Returns the words of a field's name, however it is written: `ID_deMedición` → id, medicion. */
export function nameWords(name: string): string[] {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '' && !small.has(word));
}

function isPluralOf(word: string, one: string): boolean {
  if (word === one) return false;
  return word === `${one}s` || word === `${one}es` || word === one.replace(/y$/, 'ies').replace(/z$/, 'ces');
}

/** Words that field names may use for a stream's records: singular, no accents, Spanish and English. */
const words: Readonly<Record<string, string>> = {
  airank: 'airank rank medicion visibilidad visibility measurement',
  airank_history: 'airank rank medicion historia history punto point measurement',
  visibility: 'visibilidad visibility airank rank medicion measurement',
  visibility_history: 'visibilidad visibility airank rank medicion historia history punto point measurement',
  rank2: 'airank rank medicion visibility measurement',
  mediciones: 'medicion measurement airank run',
  clientes:
    'cliente client cl customer cuenta account empresa company organizacion organization org marca brand tenant',
  respuestas: 'respuesta answer response',
  citas: 'cita cite citation',
  acciones: 'accion action',
  actions: 'accion action',
  prompts: 'pregunta prompt question',
  prompt_gaps: 'hueco gap pregunta',
  prompt_clusters: 'cluster grupo group',
  fanouts: 'fanout busqueda search pregunta prompt question',
  sources: 'fuente source dominio domain',
  citations: 'cita citation url pagina page',
  competitors: 'competidor competitor rival',
  perception: 'percepcion perception atributo attribute trait',
  products: 'producto product articulo article',
  shopping: 'merchant comercio shopping tienda shop seller',
  crawl: 'rastreo crawl bot',
  revenue: 'ingreso revenue canal channel',
  benchmark: 'benchmark corte cut',
  experiments: 'experimento experiment',
  demand: 'demanda demand pregunta prompt question',
  bgpi: 'bgpi pregunta prompt question',
  triggers: 'disparador trigger disparo registro log entrada entry evento event',
  agent_memory: 'memoria memory entrada entry decision',
  agent_runs: 'run ejecucion execution',
  agent_os: 'agente agent',
  optimizer: 'version optimizacion optimization',
  prediccion: 'prediccion prediction forecast',
  prompt_research: 'investigacion research candidato candidate',
  surfaces: 'superficie surface',
};

const byStream: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(words).map(([stream, text]) => [stream, text.split(' ')]),
);

const everySubject: ReadonlySet<string> = new Set([...byStream.values()].flat());

/** Returns the words for a stream's records; for a stream of the configuration, the words of its name. */
export function subjectWords(stream: string): readonly string[] {
  return byStream.get(stream) ?? nameWords(stream);
}

function isSubject(word: string): boolean {
  return everySubject.has(word);
}

/** Likeliest first: an id is made to identify, a code may be somebody else's, a number may count. */
const kinds = [
  wordSet('id uid uuid guid identificador identifier'),
  wordSet('clave key codigo code cod cd ref referencia reference slug handle expediente folio'),
  wordSet('num numero number nro'),
];
const numberKind = 2;
const kindOf = new Map(kinds.flatMap((words, kind) => [...words].map((word) => [word, kind] as const)));

/** Objects that wrap a record's fields and say nothing about it. */
const wrappers = wordSet(
  'attributes atributos data datos fields campos properties propiedades identity identidad identification identificacion',
  'record registro item elemento node nodo ficha detail details detalle detalles',
);

const anyRecord = wordSet('record item elemento entity entidad object objeto unique unico');

/** Measures of a record. Their values change from day to day: no key, whatever else the name says. */
const measures = wordSet(
  'score puntuacion puntaje rate tasa ratio index indice idx rank ranking position posicion puesto pos',
  'share cuota percent percentage porcentaje pct percentil percentile',
);

export function isMeasure(name: string): boolean {
  return nameWords(name).some((word) => measures.has(word));
}

/** Words that end in `id` but are no identifier. */
const noIds = wordSet('aid bid kid lid');

export interface IdentifierPath {
  readonly path: KeyPath;
  /** True if the name is the record's own; otherwise it may identify another thing, or be a place in a list. */
  readonly isSafe: boolean;
}

interface Reading extends IdentifierPath {
  readonly kind: number;
  readonly whose: 'own' | 'bare' | 'other';
}

/** Returns the fields that hold a value and are named like an identifier, likeliest first. */
export function identifierPaths(record: unknown, stream: string): readonly IdentifierPath[] {
  const found = scalarsOf(record).flatMap(({ path }) => readingOf(path, stream) ?? []);
  return found.sort((a, b) => placeOf(a) - placeOf(b));
}

interface Scalar {
  readonly path: KeyPath;
  readonly value: string | number;
}

/** Returns a record's texts and numbers, also one level below: any may be part of its identifier. */
export function scalarsOf(record: unknown): readonly Scalar[] {
  if (!isObject(record)) return [];
  return Object.entries(record).flatMap(([name, value]) => {
    const fields = isObject(value)
      ? Object.entries(value).map(([inner, one]) => ({ path: [name, inner], value: one }))
      : [{ path: [name], value }];
    return fields.flatMap(({ path, value: one }) =>
      (typeof one === 'string' && one !== '') || typeof one === 'number' ? [{ path, value: one }] : [],
    );
  });
}

/** Whether a path is named like an identifier of the stream's records, safe or not. */
export function isIdentifierPath(path: KeyPath, stream: string): boolean {
  return readingOf(path, stream) !== undefined;
}

/** True for an identifier of something else: `parent_id`, `accion.id` of an experiment. */
export function identifiesAnother(path: KeyPath, stream: string): boolean {
  const reading = readingOf(path.slice(-2), stream);
  if (reading !== undefined) return reading.whose === 'other';
  return nameWords(path.at(-1) ?? '').some((word) => kindOf.has(word));
}

/** Ranks a name: one that says what it identifies comes first, as a bare `num` or `code` may be anything's. */
function placeOf({ isSafe, kind, whose, path }: Reading): number {
  const ranks = [
    isSafe,
    whose !== 'other',
    kind === 0,
    kind !== numberKind,
    whose === 'own',
    path.length === 1,
  ];
  return ranks.reduce((place, isBetter) => place * 2 + (isBetter ? 0 : 1), 0);
}

function readingOf(path: KeyPath, stream: string): Reading | undefined {
  const [name, outer, ...deeper] = [...path].reverse();
  if (name === undefined || deeper.length > 0 || isMeasure(name)) return undefined;
  const around = outer === undefined ? [] : nameWords(outer);
  const own = (word: string) =>
    anyRecord.has(word) || subjectWords(stream).some((subject) => isShortFor(word, subject));
  const isWrapper = outer !== undefined && wrappers.has(around.join(''));
  if (outer !== undefined && !isWrapper && !around.every(own)) return undefined;

  const parts = nameWords(name);
  const words = parts.length === 1 ? partsOf(parts.join(''), own, stream) : parts;
  const [idWord] = words
    .filter((word) => kindOf.has(word))
    .sort((a, b) => (kindOf.get(a) ?? 0) - (kindOf.get(b) ?? 0));
  const kind = idWord === undefined ? undefined : kindOf.get(idWord);
  if (idWord === undefined || kind === undefined) return undefined;
  const rest = [...(isWrapper ? [] : around), ...words].filter((word) => !kindOf.has(word));
  const isCount =
    kind === numberKind && rest.some((word) => subjectWords(stream).some((one) => isPluralOf(word, one)));
  if (isCount) return undefined;
  if (rest.length === 0) return { path, kind, whose: 'bare', isSafe: kind !== numberKind };
  if (rest.every((word) => own(word) || isInitial(word, stream)))
    return { path, kind, whose: 'own', isSafe: rest.every((word) => own(word) || stream === 'clientes') };
  return kind === numberKind ? undefined : { path, kind, whose: 'other', isSafe: false };
}

/** `runid` → run, id; `idcliente` → id, cliente; a word that only looks like a compound stays whole. */
function partsOf(word: string, own: (word: string) => boolean, stream: string): string[] {
  if (kindOf.has(word) || noIds.has(word)) return [word];
  for (const idWord of kindOf.keys()) {
    const rest = word.endsWith(idWord)
      ? word.slice(0, -idWord.length)
      : word.startsWith(idWord)
        ? word.slice(idWord.length)
        : '';
    if (own(rest) || isSubject(rest) || (kindOf.get(idWord) === 0 && isInitial(rest, stream)))
      return [rest, idWord];
  }
  return [word];
}

/** `resp` is short for respuesta. */
function isShortFor(word: string, subject: string): boolean {
  return word === subject || isPluralOf(word, subject) || (word.length >= 3 && subject.startsWith(word));
}

function isInitial(letter: string, stream: string): boolean {
  return letter.length === 1 && subjectWords(stream).some((subject) => subject.startsWith(letter));
}

/**
 * Returns a regular expression, for JavaScript and Postgres alike, that identifiers match: short, without spaces, no
 * amount. A client's becomes part of a request, so addresses are excluded.
 */
export function identifierShape(stream: string): string {
  return `^(?!-?\\d*[.,]\\d+$)[^\\s${stream === 'clientes' ? '/@' : ''}]{1,200}$`;
}

export function wordSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}
