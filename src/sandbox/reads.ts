// Answers the GET routes: clients, pages and cursors, CSV, traces, questions, and the public result.
import type { Bodies } from './faults.ts';
import { type JsonObject, type JsonValue, type Records, toJson } from './json-literal.ts';
import { hashOf } from './random.ts';
import { jsonReply, jsonText, problem, type Reply } from './reply.ts';
import type { ListRoute, Route } from './route.ts';
import { routes } from './routes.ts';
import { publicRank } from './world/airank.ts';
import type { Scope } from './world/scope.ts';
import type { World } from './world.ts';

/** Writes the records' fields as CSV. The first record names the columns; `null` is an empty field. */
function toCsv(records: Records): string {
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

interface Position {
  /** Day on which the walk began; its later pages stay on it. */
  readonly day: number;
  readonly offset: number;
}

/** Makes an opaque cursor, bound to its world, route and client. */
function cursorOf(boundTo: number, { day, offset }: Position): string {
  return Buffer.from(`${day}.${offset}.${hashOf(boundTo, day, offset)}`).toString('base64url');
}

/** Undefined if it is garbage, or bound to something else. */
function positionOf(boundTo: number, cursor: string, today: number): Position | undefined {
  if (cursor === '') return { day: today, offset: 0 };
  const [day = 0, offset = 0] = Buffer.from(cursor, 'base64url').toString('utf8').split('.').map(Number);
  const position = { day, offset };
  return cursorOf(boundTo, position) === cursor ? position : undefined;
}

const wrongCursor = problem(400, 'cursor_invalido', 'El cursor no pertenece a esta ruta y cliente.');

const defaultLimit = 50;
const maxLimit = 200;

function limitOf(text: string | null): number {
  const wanted = text === null || !/^\d+$/.test(text) ? defaultLimit : Number(text);
  return Math.min(maxLimit, Math.max(1, wanted));
}

const byRoute: ReadonlyMap<string, Route> = new Map(routes.map((route) => [route.route, route]));

/** Returns the read route of a path below `/api/v1/`; undefined if the reference has none. */
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
  if (route.kind === 'single') return jsonReply(200, route.body(scope));
  if (route.kind === 'list') return answerList(world, route, scope, client, query);
  const question = query.get('pregunta')?.trim() ?? '';
  if (question === '') return problem(400, 'falta_pregunta', 'Falta el parámetro «pregunta».');
  return jsonReply(200, route.answer(scope, question));
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
      : jsonReply(200, detail);
  }
  if (route.csv === true && query.get('format') === 'csv') {
    // Gives the whole history at once, as a CSV body has no place for a cursor.
    return { status: 200, contentType: 'text/csv; charset=utf-8', body: toCsv(route.listing(scope, false)) };
  }
  const boundTo = hashOf(world.seed, route.route, client);
  const position = positionOf(boundTo, query.get('cursor') ?? '', scope.today);
  if (position === undefined) return wrongCursor;
  const withText = route.text === true && query.get('texto') === '1';
  const { records, rest } = world.list(route, { ...scope, today: position.day }, withText);
  const end = position.offset + limitOf(query.get('limite'));
  const next = end < records.length ? cursorOf(boundTo, { ...position, offset: end }) : null;
  const page = records.slice(position.offset, end);
  return jsonReply(200, { [route.list]: page, paginacion: { siguiente: next }, ...rest });
}

/**
 * Answers with another server's body, its list cut into pages. @param day days since the date that the sandbox began
 * with
 */
export function answerBody(
  { body, listKeys }: Bodies,
  route: string,
  query: URLSearchParams,
  day: number,
): Reply {
  const boundTo = hashOf(route);
  const position = positionOf(boundTo, query.get('cursor') ?? '', day);
  if (position === undefined) return wrongCursor;
  const whole = body(route, query, position.day);
  if (whole === undefined) return problem(404, 'no_encontrado', `La ruta «${route}» no está disponible.`);
  const key = listKeys[route];
  const list = key === undefined || key === '' ? undefined : (whole as JsonObject)[key];
  if (key === undefined || !Array.isArray(list)) return jsonText(200, JSON.stringify(whole));
  const end = position.offset + limitOf(query.get('limite'));
  const next = end < list.length ? cursorOf(boundTo, { ...position, offset: end }) : null;
  const page = { [key]: list.slice(position.offset, end), paginacion: { siguiente: next } };
  return jsonText(200, JSON.stringify({ ...(whole as object), ...page }));
}
