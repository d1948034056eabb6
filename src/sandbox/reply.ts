// One answer before it is sent, and the form of refusals.
import { type JsonObject, toJson } from './json-literal.ts';

export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export function jsonReply(status: number, body: JsonObject): Reply {
  return jsonText(status, toJson(body));
}

export function jsonText(status: number, body: string): Reply {
  return { status, contentType: 'application/json; charset=utf-8', body };
}

/** Makes an error body: `error` for programs, `mensaje` for people, and further fields. */
export function problem(status: number, error: string, message: string, more: JsonObject = {}): Reply {
  return jsonReply(status, { error, mensaje: message, ...more });
}

/** Makes a 429 (api.md, "Errors"): `retryAfter` is in the body, in whole seconds. */
export function refusal(error: 'rate_limited' | 'quota', message: string, retryMs: number): Reply {
  return problem(429, error, message, { retryAfter: Math.max(1, Math.ceil(retryMs / 1000)) });
}

/** Makes a 400 that names the wrong field. */
export function invalid(field: string, message: string): Reply {
  return problem(400, 'peticion_invalida', message, { campo: field });
}
