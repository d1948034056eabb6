// Requests to one Metabase (time limits, no redirects, the key to its own address only), the form of its answers, and
// the context of a step.

import { type Dispatcher, fetch, type Response } from 'undici';
import * as z from 'zod';
import type { Secret } from '../../config/config.ts';
import { limitTime } from '../../core/clock.ts';
import { AirankError, messageOf } from '../../core/errors.ts';
import { createDispatcher } from '../../core/http.ts';

/** The Metabase, or whatever is at its address, does not do what was asked. Tells the fix. Exit code 1. */
export class MetabaseError extends AirankError {}

export interface Change {
  readonly kind: 'database' | 'schema' | 'fields' | 'collection' | 'question' | 'dashboard';
  readonly name: string;
  /** `left`: people changed it, so it stays. */
  readonly what: 'create' | 'change' | 'same' | 'left';
  readonly why?: string;
}

export interface StepContext {
  readonly http: MetabaseHttp;
  /** Resets everything airank made before to its shipped form. */
  readonly overwrite: boolean;
  readonly note: (change: Change) => void;
}

/** Parts of answers that are read; all others are ignored. */
const id = z.int().positive();
const text = z.string().nullish();

export const properties = z.object({ version: z.object({ tag: z.string().nullish() }) });
export const user = z.object({ is_superuser: z.boolean().nullish() });

export const database = z.object({
  id,
  name: z.string(),
  description: text,
  engine: z.string(),
  /** Absent for keys that may not see it. */
  details: z.record(z.string(), z.unknown()).nullish(),
});
export const databases = z.object({ data: z.array(database) });

export const field = z.object({
  id,
  name: z.string(),
  semantic_type: text,
  fk_target_field_id: id.nullish(),
});
export const metadata = z.object({
  tables: z.array(z.object({ name: z.string(), schema: text, fields: z.array(field).nullish() })),
});

/** The root collection has a word as its id. */
const collection = z.object({
  id: z.union([id, z.string()]),
  name: z.string(),
  description: text,
});
export const collections = z.array(collection);
export const madeCollection = collection.extend({ id });

export const members = z.object({
  data: z.array(z.object({ id, model: z.string(), name: z.string(), description: text })),
});

const mapping = z.looseObject({
  parameter_id: z.string(),
  card_id: id.nullish(),
  target: z.unknown().optional(),
});

const dashcard = z.looseObject({
  id: z.int(),
  card_id: id.nullish(),
  dashboard_tab_id: id.nullish(),
  row: z.int(),
  col: z.int(),
  size_x: z.int(),
  size_y: z.int(),
  parameter_mappings: z.array(mapping).nullish(),
  visualization_settings: z.record(z.string(), z.unknown()).nullish(),
  series: z.array(z.unknown()).nullish(),
});

export const dashboard = z.object({
  id,
  tabs: z.array(z.object({ id, name: z.string() })).nullish(),
  dashcards: z.array(dashcard),
});
/** A question or dashboard that was just created. */
export const madeItem = z.object({ id });

export const nothing = z.unknown();

export type Dashcard = z.infer<typeof dashcard>;
export type ShownDashboard = z.infer<typeof dashboard>;

export interface MetabaseAddress {
  /** Without /api and without a trailing slash. */
  readonly url: URL;
  readonly key: Secret;
  readonly proxy?: Secret | undefined;
  readonly signal: AbortSignal;
  /** Limit for a whole exchange. Default: 60000. */
  readonly timeoutMs?: number;
}

export interface MetabaseHttp {
  /** @param path path below /api/, with its query */
  get<Answer>(path: string, answer: z.ZodType<Answer>): Promise<Answer>;
  post<Answer>(path: string, body: object, answer: z.ZodType<Answer>): Promise<Answer>;
  put<Answer>(path: string, body: object, answer: z.ZodType<Answer>): Promise<Answer>;
  /** Sends no key, for things that anybody may ask. */
  look<Answer>(path: string, answer: z.ZodType<Answer>): Promise<Answer>;
  /** Returns an address for people, below the Metabase's own. */
  link(path: string): string;
}

interface Exchange {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: object;
  readonly withKey: boolean;
}

const complaint = z.union([
  z.object({ message: z.string().optional(), errors: z.record(z.string(), z.unknown()).optional() }),
  z.string(),
]);
const longestComplaint = 300;

/** Every function rejects with a MetabaseError if the answer does not have the wanted form. */
export function createMetabaseHttp(address: MetabaseAddress): MetabaseHttp {
  // Idle connections keep no process alive.
  const dispatcher = createDispatcher({ proxy: address.proxy?.reveal() });
  const ask = async <Answer>(exchange: Exchange, answer: z.ZodType<Answer>): Promise<Answer> => {
    // Runs until the answer is read, as a server may stop in the middle of it.
    const limit = limitTime(address.timeoutMs ?? 60_000, address.signal);
    const { response, text } = await send({ ...address, signal: limit.signal }, exchange, dispatcher).finally(
      limit.release,
    );
    if (!response.ok) throw refusal(address, exchange, response, text);
    const read = answer.safeParse(jsonOf(text));
    if (read.success) return read.data;
    const { path, message } = read.error.issues[0] ?? { path: [], message: 'nothing of it' };
    const where = path.length === 0 ? 'the answer' : `${path.join('.')} of the answer`;
    throw failed(address, exchange, `an answer of another form (${where}: ${message}). Is that a Metabase?`);
  };
  return {
    get: (path, answer) => ask({ method: 'GET', path, withKey: true }, answer),
    post: (path, body, answer) => ask({ method: 'POST', path, body, withKey: true }, answer),
    put: (path, body, answer) => ask({ method: 'PUT', path, body, withKey: true }, answer),
    look: (path, answer) => ask({ method: 'GET', path, withKey: false }, answer),
    link: (path) => `${hrefOf(address)}/${path}`,
  };
}

async function send(
  address: MetabaseAddress,
  exchange: Exchange,
  dispatcher: Dispatcher,
): Promise<{ readonly response: Response; readonly text: string }> {
  const { method, path, body, withKey } = exchange;
  const { key, signal } = address;
  try {
    const response = await fetch(`${hrefOf(address)}/api/${path}`, {
      dispatcher,
      method,
      // A redirect would take the key to another place.
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(withKey ? { 'x-api-key': key.reveal() } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    });
    return { response, text: await response.text() };
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw failed(address, exchange, messageOf(cause), error);
  }
}

function refusal(
  address: MetabaseAddress,
  exchange: Exchange,
  response: Response,
  text: string,
): MetabaseError {
  const { status } = response;
  if (status === 401) return failed(address, exchange, `401: the key is not accepted. ${keyFix}`);
  if (status === 403) return failed(address, exchange, `403: the key is not allowed to do that. ${keyFix}`);
  if (status >= 300 && status < 400) {
    const to = response.headers.get('location') ?? '';
    const origin = URL.canParse(to, hrefOf(address)) ? new URL(to, hrefOf(address)).origin : 'elsewhere';
    return failed(address, exchange, `a redirect to ${origin}. Use an address that does not redirect`);
  }
  if (status === 404 && !exchange.withKey)
    return failed(address, exchange, '404: there is no Metabase at this address. Check --url');
  return failed(address, exchange, `${status}${complaintIn(text)}`);
}

const keyFix =
  'Make one under Admin settings, Authentication, API keys, in the group Administrators, and set AIRANK_METABASE_KEY';

function complaintIn(text: string): string {
  const read = complaint.safeParse(jsonOf(text) ?? text);
  if (!read.success) return '';
  const { data } = read;
  const said =
    typeof data === 'string'
      ? data
      : [data.message, ...Object.values(data.errors ?? {})].filter(isText).join('; ');
  return said === '' ? '' : `: ${said.slice(0, longestComplaint)}`;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function failed(address: MetabaseAddress, exchange: Exchange, got: string, cause?: unknown): MetabaseError {
  const { method, path } = exchange;
  const route = `/api/${path.split('?')[0]}`;
  const text = `Expected Metabase at ${hrefOf(address)} to answer ${method} ${route}, got ${got}`;
  return new MetabaseError(text, { method, route }, cause === undefined ? {} : { cause });
}

function hrefOf({ url }: MetabaseAddress): string {
  return url.href.replace(/\/+$/, '');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
