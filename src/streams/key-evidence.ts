// Finds keys by the values of records, where no name says what identifies them.
import { currencies } from '../core/currencies.ts';
import { catalog } from './catalog.ts';
import {
  identifierPaths,
  identifierShape,
  isIdentifierPath,
  isMeasure,
  nameWords,
  scalarsOf,
  subjectWords,
  wordSet,
} from './identifier-paths.ts';
import type { CandidateKey, KeyPath } from './stream.ts';

/** With fewer records everything is unique. */
const fewestRecords = 3;
const mostPaths = 3;
/** Maximum number of labels tried together. */
const mostLabels = 8;
const mostKeys = 3;

/** Identifiers made by machines: UUID, ULID, hexadecimal, prefixed numbers (`PR-2031`, `resp_01hx7q`). */
const opaque =
  /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\dA-HJKMNP-TV-Z]{26}|(?=.*\d)[\da-f]{12,64}|[a-z]{1,6}[-_:]?\d{2,}|[a-z]{1,6}[-_:](?=[a-z]*\d)[\da-z]{6,})$/i;

/** `MXN 1,234.50`, `€12`, `80 EUR`, `63.7`, `40 %`. */
const amount = new RegExp(`^(?:${currencies})?\\s?[-+]?\\d[\\d.,' ]*(?:%|${currencies})?$`, 'iu');

/** Made by people: letters, digits and signs in one word (`shoes-p3-v1`). */
const code = /^[a-z][\w.:-]*\d[\w.:-]*$/i;

/** Fields that say which of several things a record is about; they stay the same while its figures change. */
const dimensions = wordSet(
  'canal channel via medio medium moneda divisa currency ccy producto product articulo item sku motor engine modelo model',
  'pais country region idioma language locale dispositivo device fecha date periodo period tipo type categoria category',
  'segmento segment metodo method version marca brand competidor competitor dominio domain url ruta path pagina page bot pregunta',
  'prompt question atributo attribute fuente source comercio merchant tema topic sector',
);

/** Parts of a date, which may be numbers. */
const periods = wordSet('dia day semana week mes month trimestre quarter ano year');

/** Fields whose values change while the record stays the same. */
const changing = wordSet(
  'estado status state fase phase etapa stage nota note comentario comment texto text descripcion description resumen',
  'summary respuesta answer mensaje message actualizado updated modificado modified ultimo ultima last token cursor hash',
  'checksum etag digest firma signature sentimiento sentiment veredicto verdict tendencia trend prioridad priority nivel',
  'level resultado result motivo reason valor value importe amount total logo imagen image icono icon foto photo color',
);

interface Column {
  readonly path: KeyPath;
  /** One value per record; null where a record has none. */
  readonly cells: readonly (string | number | null)[];
  readonly values: readonly string[];
  readonly isWhole: boolean;
  readonly isText: boolean;
}

/**
 * Keys that are unique in these records, the likeliest first: an identifier by the look of its values, else the labels
 * that tell them apart (a channel, a currency and a product).
 * @param records the first ones of a walk; whether a key holds for all of them is still to be seen
 */
export function evidentKeys(records: readonly unknown[], stream: string): readonly CandidateKey[] {
  if (records.length < fewestRecords) return [];
  const columns = columnsOf(records).filter(
    ({ path }) => !path.some(isMeasure) && !holdsWord(path, changing),
  );
  const named = new Set(
    identifierPaths(records[0], stream).flatMap(({ path, isSafe }) => (isSafe ? [JSON.stringify(path)] : [])),
  );
  const shape = new RegExp(identifierShape(stream));
  const identifiers = columns.filter(({ path, values, isText }) => {
    const isNamed = named.has(JSON.stringify(path));
    return (isNamed || isText) && values.every((value) => (isNamed ? shape : opaque).test(value));
  });
  // Details are asked for by the identifier of a record, which no label is.
  const hasDetails = catalog.some(({ source }) => source.kind === 'details' && source.of === stream);
  const all = hasDetails ? [] : columns.filter((column) => isLabel(column, stream));
  const telling = new Set([...dimensions, ...periods, ...subjectWords(stream)]);
  const known = all.filter(({ path }) => holdsWord(path, telling));
  const labels = [...known, ...all.filter((column) => !known.includes(column))].slice(0, mostLabels);
  const codes = all.filter(({ values }) => values.every((value) => code.test(value)));
  const sets = [
    ...[...identifiers, ...codes].map((column) => [column]),
    ...(known.length > 1 && known.length <= mostPaths ? [known] : []),
    ...[1, 2, mostPaths].flatMap((size) => combinations(labels, size)),
  ];
  return sets
    .filter((set) => isUnique(set, records.length) && (set.length > 1 || set[0]?.isWhole === true))
    .slice(0, mostKeys)
    .map((set) => set.map(({ path }) => path));
}

/** Returns the fields that most records hold, and those one level below. */
function columnsOf(records: readonly unknown[]): readonly Column[] {
  const rows = records.map(
    (record) => new Map(scalarsOf(record).map((one) => [JSON.stringify(one.path), one])),
  );
  const paths = new Map(rows.flatMap((row) => [...row].map(([place, { path }]) => [place, path])));
  return [...paths].flatMap(([place, path]) => {
    const cells = rows.map((row) => row.get(place)?.value ?? null);
    const found = cells.filter((cell) => cell !== null);
    if (found.length * 2 <= cells.length) return [];
    const isText = found.every((cell) => typeof cell === 'string');
    return [{ path, cells, values: found.map(String), isWhole: found.length === cells.length, isText }];
  });
}

const holdsWord = (path: KeyPath, words: ReadonlySet<string>) =>
  path.some((name) => nameWords(name).some((word) => words.has(word)));

/** Short, and no amount or moment. Numbers count only as the identifier of another thing, or as part of a date. */
function isLabel({ path, values, isText }: Column, stream: string): boolean {
  const isOfAnother = isIdentifierPath(path, stream);
  const isUniqueIdentifier = isOfAnother && new Set(values).size === values.length;
  if (isUniqueIdentifier || (!isText && !isOfAnother && !holdsWord(path, periods))) return false;
  return values.every(
    (value) =>
      value.length <= 80 &&
      value.split(' ').length <= 6 &&
      !/\d:\d\d/.test(value) &&
      (isOfAnother ||
        (!amount.test(value) && (!isText || /\p{L}/u.test(value) || /^\d{4}-\d\d(-\d\d)?$/.test(value)))),
  );
}

function isUnique(set: readonly Column[], records: number): boolean {
  const keys = Array.from({ length: records }, (_, row) =>
    JSON.stringify(set.map(({ cells }) => cells[row])),
  );
  return new Set(keys).size === records;
}

function combinations<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  if (size === 0) return [[]];
  return items.flatMap((item, index) =>
    combinations(items.slice(index + 1), size - 1).map((rest) => [item, ...rest]),
  );
}
