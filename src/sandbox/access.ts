// Who asks, and how often: both key headers, the minute and the day of each key, and the three rate headers.
import type { IncomingHttpHeaders } from 'node:http';
import { dayMs } from '../core/day-ms.ts';
import { RateWindow, type WindowKind } from './rate-window.ts';
import { problem, type Reply, refusal } from './reply.ts';

/** The account of a request, as the index of its key; or why it is not let in. */
export type Caller =
  | { readonly kind: 'account'; readonly index: number }
  | { readonly kind: 'stranger'; readonly reply: Reply };

/** Reads the key from `Authorization: Bearer` or `X-API-Key`; a key in the query is always refused. */
export function callerOf(
  headers: IncomingHttpHeaders,
  query: URLSearchParams,
  keys: readonly string[],
): Caller {
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

export interface Admission {
  /** The refusal, when the request is over a limit. */
  readonly reply: Reply | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** The limits of one key (docs/api.md, "Limits"). */
export class KeyLimits {
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
    // What the minute refuses has not been served, so the day gets it back.
    if (today.allowed && !minute.allowed) this.#day.take(nowMs, -1);
    const headers = {
      'X-RateLimit-Limit': String(this.#perMinute),
      'X-RateLimit-Remaining': String(minute.remaining),
      'X-RateLimit-Reset': String(Math.max(1, Math.ceil(minute.resetMs / 1000))),
    };
    if (!today.allowed) {
      return {
        headers,
        reply: refusal('rate_limited', 'Se ha alcanzado el límite diario de la clave.', today.resetMs),
      };
    }
    if (!minute.allowed) {
      return {
        headers,
        reply: refusal('rate_limited', 'Demasiadas peticiones en un minuto.', minute.resetMs),
      };
    }
    return { headers, reply: undefined };
  }
}
