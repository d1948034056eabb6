// Answers the GET routes: clients, pages and cursors, CSV, traces, questions, and the public result.
import { type JsonObject, type JsonValue, toJson } from './json-literal.ts';
import { hashOf } from './random.ts';
import { jsonReply, jsonText, problem, type Reply } from './reply.ts';
import { type ListRoute, type Route, routes } from './routes.ts';
import { publicRank } from './world/airank.ts';
import type { Scope } from './world/scope.ts';
import type { World } from './world.ts';

/** The records' fields as CSV. The first record names the columns; `null` is an empty field. */
export function toCsv(records: readonly JsonObject[]): string {
  const columns = Object.keys(records[0] ?? {});
  const rows = records.map((record) => columns.map((column) => field(record[column] ?? null)).join(','));
  return [columns.map(quote).join(','), ...rows].map((row) => `${row}\r\n`).join('');
}

function field(value: JsonValue): string {
  if (value === null) return '';
  return quote(typeof value === 'string' ? value : toJson(value));
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Cursors: opaque, tied to route, client, date and offset, and refused when they are anything else. */
interface CursorPlace {
  readonly route: string;
  readonly client: string;
}

interface Position {
  /** The day the walk began with; later pages of a walk stay on it. */
  readonly day: number;
  readonly offset: number;
}

/** The cursor of a position: base64url, no meaning to the caller. */
function encodeCursor(seed: number, place: CursorPlace, position: Position): string {
  const fields = [position.day, position.offset, checkOf(seed, place, position)];
  return Buffer.from(JSON.stringify(fields)).toString('base64url');
}

/** The position of a cursor; undefined when it is garbage or belongs to another route or client. */
function decodeCursor(seed: number, place: CursorPlace, cursor: string): Position | undefined {
  let fields: unknown;
  try {
    fields = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  if (!Array.isArray(fields) || fields.length !== 3) return undefined;
  const [day, offset] = fields;
  if (!Number.isSafeInteger(day) || !Number.isSafeInteger(offset)) return undefined;
  const position = { day: Number(day), offset: Number(offset) };
  return encodeCursor(seed, place, position) === cursor ? position : undefined;
}

function checkOf(seed: number, place: CursorPlace, position: Position): number {
  return hashOf(seed, place.route, place.client, position.day, position.offset);
}

const byRoute: ReadonlyMap<string, Route> = new Map(routes.map((route) => [route.route, route]));

const defaultLimit = 50;
const maxLimit = 200;

/** The read route of a path below `/api/v1/`; undefined when the reference has none. */
export function readRoute(path: string): Route | undefined {
  return byRoute.get(path);
}

/** Answers a read route for the account of `world` on `day`. */
export function answerRead(world: World, route: Route, query: URLSearchParams, day: number): Reply {
  const client = route.perClient ? (query.get('cliente') ?? '') : '';
  const brand = world.brand(client);
  if (brand === undefined)
    return problem(404, 'cliente_desconocido', `No hay ningún cliente «${client}» en la cuenta.`);
  const scope = world.scope(brand, day);
  switch (route.kind) {
    case 'single':
      return jsonReply(200, world.shown(route, route.body(scope)));
    case 'question': {
      const question = query.get('pregunta')?.trim() ?? '';
      if (question === '') return problem(400, 'falta_pregunta', 'Falta el parámetro «pregunta».');
      return jsonReply(200, world.shown(route, route.answer(scope, question)));
    }
    case 'list':
      return answerList(world, route, scope, client, query);
  }
}

/** Answers `airank/:id`, over all accounts. */
export function answerPublic(worlds: readonly World[], id: string, day: number): Reply {
  for (const world of worlds) {
    const brand = world.brands.find(({ publicId }) => publicId === id);
    if (brand !== undefined) return jsonReply(200, publicRank(world.scope(brand, day), brand));
  }
  return problem(404, 'no_encontrado', `No hay ningún resultado público «${id}».`);
}

function answerList(
  world: World,
  route: ListRoute,
  scope: Scope,
  client: string,
  query: URLSearchParams,
): Reply {
  const id = query.get('id');
  if (route.detail !== undefined && id !== null) {
    const detail = route.detail(scope, id);
    return detail === undefined
      ? problem(404, 'no_encontrado', `No existe «${id}».`)
      : jsonReply(200, world.shown(route, detail));
  }
  if (route.csv === true && query.get('format') === 'csv') return wholeCsv(world, route, scope);
  const cursor = query.get('cursor') ?? '';
  const place = { route: route.route, client };
  const position = cursor === '' ? { day: scope.today, offset: 0 } : decodeCursor(world.seed, place, cursor);
  if (position === undefined) {
    return problem(400, 'cursor_invalido', 'El cursor no pertenece a esta ruta y cliente.');
  }
  const pageScope = { ...scope, today: position.day };
  const withText = route.text === true && query.get('texto') === '1';
  const limit = limitOf(query.get('limite'));
  const [records, length] = world.records(route, pageScope, withText, position.offset, limit);
  const end = position.offset + records.length;
  const next = end < length ? encodeCursor(world.seed, place, { day: position.day, offset: end }) : null;
  const rest = world.rest(route, pageScope).slice(1, -1);
  return jsonText(
    200,
    `{"${route.list}":[${records.join(',')}],"paginacion":{"siguiente":${JSON.stringify(next)}}${rest === '' ? '' : `,${rest}`}}`,
  );
}

/** The whole history at once: a CSV body has no place for a cursor. */
function wholeCsv(world: World, route: ListRoute, scope: Scope): Reply {
  const listing = route.listing(scope, false);
  const records = Array.from({ length: listing.length }, (_, index) => world.shown(route, listing.at(index)));
  return { status: 200, contentType: 'text/csv; charset=utf-8', body: toCsv(records) };
}

function limitOf(text: string | null): number {
  const wanted = text === null || !/^\d+$/.test(text) ? defaultLimit : Number(text);
  return Math.min(maxLimit, Math.max(1, wanted));
}
