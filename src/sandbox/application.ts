// Turns one request into one reply: path, key, limits, then the route. Knows no sockets.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { dayMs } from '../core/run-date.ts';
import type { Asked } from './faults.ts';
import type { SandboxSettings } from './options.ts';
import { at } from './random.ts';
import { RateWindow, type WindowKind } from './rate-window.ts';
import { answerBody, answerPublic, answerRead, readRoute } from './reads.ts';
import { problem, type Reply, refusal } from './reply.ts';
import { accessLog } from './world/crawl.ts';
import { dayOf } from './world/scope.ts';
import { World } from './world.ts';
import { maxBodyBytes, type UploadStats, type WriteRoute, Writes, writeRoutes } from './writes.ts';

/** The account of a request, as the index of its key; or the reason why it is refused. */
type Caller =
  | { readonly kind: 'account'; readonly index: number }
  | { readonly kind: 'stranger'; readonly reply: Reply };

/** Reads the key from `Authorization: Bearer` or `X-API-Key`; a key in the query is always refused. */
function callerOf(headers: IncomingHttpHeaders, query: URLSearchParams, keys: readonly string[]): Caller {
  if (query.has('key'))
    return refused('La clave no se acepta en la URL; envíala en la cabecera Authorization.');
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const header = headers['x-api-key'];
  const key = bearer ?? (typeof header === 'string' ? header : undefined);
  if (key === undefined) return refused('Falta la clave: «Authorization: Bearer <API_KEY>» o «X-API-Key».');
  const index = keys.indexOf(key);
  return index === -1 ? refused('La clave no es válida.') : { kind: 'account', index };
}

function refused(message: string): Caller {
  return { kind: 'stranger', reply: problem(401, 'no_autorizado', message) };
}

interface Admission {
  readonly reply: Reply | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** The limits of one key (api.md, "Limits"). */
class KeyLimits {
  readonly #perMinute: number;
  readonly #minute: RateWindow;
  readonly #day: RateWindow;

  constructor(perMinute: number, perDay: number, kind: WindowKind) {
    this.#perMinute = perMinute;
    this.#minute = new RateWindow(perMinute, kind, 60_000);
    this.#day = new RateWindow(perDay, 'fixed', dayMs);
  }

  /** Counts one request. A request over the day's limit does not use up the minute. */
  admit(nowMs: number): Admission {
    const today = this.#day.take(nowMs);
    const minute = this.#minute.take(nowMs, today.allowed ? 1 : 0);
    // A request that the minute refuses was not served: give it back to the day.
    if (today.allowed && !minute.allowed) this.#day.take(nowMs, -1);
    const headers = {
      'X-RateLimit-Limit': String(this.#perMinute),
      'X-RateLimit-Remaining': String(minute.remaining),
      'X-RateLimit-Reset': String(Math.max(1, Math.ceil(minute.resetMs / 1000))),
    };
    const refused = (message: string, resetMs: number) => ({
      headers,
      reply: refusal('rate_limited', message, resetMs),
    });
    if (!today.allowed) return refused('Se ha alcanzado el límite diario de la clave.', today.resetMs);
    if (!minute.allowed) return refused('Demasiadas peticiones en un minuto.', minute.resetMs);
    return { headers, reply: undefined };
  }
}

/** Returns the body as text; undefined if it is larger than `maxBytes`. */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const part: Buffer = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const prefix = '/api/v1/';

interface Account {
  readonly world: World;
  readonly limits: KeyLimits;
  readonly writes: Writes;
}

export interface Answered {
  readonly reply: Reply;
  readonly headers: Admission['headers'];
  /** Route for the statistics: `airank/:id` for the public one, `?` for any that the reference does not have. */
  readonly route: string;
  readonly admitted: boolean;
  readonly asked: Asked;
}

export class Application {
  readonly #settings: SandboxSettings;
  readonly #accounts: readonly Account[];
  /** Shared by all requests without a valid key. */
  readonly #strangers: KeyLimits;
  readonly #firstDay: number;
  #day: number;

  constructor(settings: SandboxSettings) {
    const { perMinute, perDay, seed, faults } = settings;
    const limits = () => new KeyLimits(perMinute, perDay, faults.minutes ?? 'fixed');
    this.#settings = settings;
    this.#strangers = limits();
    this.#accounts = settings.apiKeys.map((_, index) => ({
      world: new World(seed + index * 7919, settings),
      limits: limits(),
      writes: new Writes(settings),
    }));
    this.#firstDay = dayOf(settings.date);
    this.#day = this.#firstDay;
  }

  setDay(day: number): void {
    this.#day = day;
  }

  publicIds(): readonly string[] {
    return this.#accounts.flatMap(({ world }) => world.brands.map((brand) => brand.publicId));
  }

  /** Returns today's access log of the first account's sites. */
  accessLog(): string {
    const { world } = at(this.#accounts, 0);
    return accessLog(world.scope(at(world.brands, 0), this.#day));
  }

  received(): UploadStats {
    const all = this.#accounts.map(({ writes }) => writes.received);
    const sum = (name: keyof UploadStats) => all.reduce((total, one) => total + one[name], 0);
    return { uploads: sum('uploads'), lines: sum('lines'), dropped: sum('dropped') };
  }

  /** Never rejects for what a caller sends; rejects when the request's own stream fails. */
  async answer(request: IncomingMessage, number: number): Promise<Answered> {
    const { pathname, searchParams: query } = new URL(`http://sandbox.invalid${request.url ?? '/'}`);
    const { method = 'GET', headers } = request;
    // Takes the path below the prefix; any other is no route.
    const path = pathname.startsWith(prefix) ? pathname.slice(prefix.length) : '';
    const publicId = method === 'GET' ? publicIdOf(path) : undefined;
    const caller = callerOf(headers, query, this.#settings.apiKeys);
    const account = caller.kind === 'account' ? caller.index : undefined;
    const asked = { method, path, query, headers, account, number };
    const own = publicId !== undefined || account === undefined ? undefined : at(this.#accounts, account);
    const admission = (own?.limits ?? this.#strangers).admit(this.#settings.clock());
    const due = async () => {
      if (publicId !== undefined) return this.#public(publicId, query);
      return caller.kind === 'stranger'
        ? caller.reply
        : await this.#route(at(this.#accounts, caller.index), request, asked);
    };
    return {
      reply: admission.reply ?? (await due()),
      headers: admission.headers,
      route: publicId === undefined ? routeName(path) : 'airank/:id',
      admitted: admission.reply === undefined && (publicId !== undefined || own !== undefined),
      asked,
    };
  }

  #public(id: string, query: URLSearchParams): Reply {
    const { bodies } = this.#settings.faults;
    if (bodies !== undefined) return answerBody(bodies, `airank/${id}`, query, this.#day - this.#firstDay);
    return answerPublic(
      this.#accounts.map(({ world }) => world),
      id,
      this.#day,
    );
  }

  async #route(account: Account, request: IncomingMessage, { path, query, method }: Asked): Promise<Reply> {
    const { bodies } = this.#settings.faults;
    const read = readRoute(path);
    const write = writeRoutes.find((route) => route === path);
    if (bodies !== undefined && method === 'GET')
      return answerBody(bodies, path, query, this.#day - this.#firstDay);
    if (read !== undefined && method === 'GET') return answerRead(account.world, read, query, this.#day);
    if (write !== undefined && method === 'POST') return this.#write(account, write, request);
    if (read !== undefined || write !== undefined) {
      return problem(405, 'metodo_no_permitido', `${path} no acepta ${method}.`);
    }
    return problem(404, 'ruta_desconocida', 'Esta ruta no existe en la API.');
  }

  async #write(account: Account, route: WriteRoute, request: IncomingMessage): Promise<Reply> {
    const contentType = request.headers['content-type'] ?? '';
    const maxBytes = maxBodyBytes(route, contentType);
    const body = await readBody(request, maxBytes);
    if (body !== undefined) {
      return account.writes.answer(route, { contentType, body, nowMs: this.#settings.clock() });
    }
    const tooLarge = problem(413, 'demasiado_grande', `Como máximo ${maxBytes} bytes.`, { maximo: maxBytes });
    // The rest of the body is not read.
    return { ...tooLarge, headers: { Connection: 'close' } };
  }
}

/** Returns the id of the public route: `airank/` and one more part that is not a route of its own. */
function publicIdOf(path: string): string | undefined {
  const id = /^airank\/([^/]+)$/.exec(path)?.[1];
  if (id === undefined || routeName(path) !== '?') return undefined;
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

function routeName(path: string): string {
  return readRoute(path) !== undefined || writeRoutes.some((route) => route === path) ? path : '?';
}
