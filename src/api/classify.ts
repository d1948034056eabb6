// Decides once, by status or code, what an answer or a failed exchange means. Never by message text.

import { usualKeyFrom } from '../config/config.ts';
import { ProxyError } from '../core/http.ts';
import { isObject } from '../core/json.ts';
import {
  BodyTooLargeError,
  ExchangeTimeoutError,
  headerText,
  type RawAnswer,
  UnknownEncodingError,
} from './exchange.ts';
import { retryAfterMs } from './retry.ts';

const longestQuote = 120;

/**
 * Quotes one line of at most 120 characters; of JSON, the sentence for people if it has one. `scrub` runs first, so
 * that no secret is cut in two.
 */
export function quote(text: string, scrub: (text: string) => string): string {
  const body = parsedOrUndefined(text);
  const sentence = isObject(body) ? (body['mensaje'] ?? body['message']) : undefined;
  const said = typeof sentence === 'string' && sentence.trim() !== '' ? sentence : text;
  const clean = scrub(said.slice(0, 2_000)).replace(/\s+/g, ' ').trim();
  if (clean === '') return 'an empty body';
  return JSON.stringify(clean.length > longestQuote ? `${clean.slice(0, longestQuote)}…` : clean);
}

/** True if `value` has more than `most` levels; a list or an object of scalars is one, a scalar none. */
export function nestsDeeper(value: unknown, most: number): boolean {
  return typeof value === 'object' && value !== null && isDeeper(value, most);
}

/** A million records pass here, so it makes no call for a scalar and no list of an object's members. */
function isDeeper(value: object, most: number): boolean {
  if (most === 0) return true;
  if (Array.isArray(value)) {
    for (const element of value as readonly unknown[]) {
      if (typeof element === 'object' && element !== null && isDeeper(element, most - 1)) return true;
    }
    return false;
  }
  if (!isObject(value)) return false;
  for (const key in value) {
    const member = value[key];
    if (typeof member === 'object' && member !== null && isDeeper(member, most - 1)) return true;
  }
  return false;
}

export type Verdict =
  | { readonly kind: 'ok'; readonly answer: RawAnswer; readonly json: unknown }
  /** 401, 403 or 404; the run decides whether the account or one stream is meant. */
  | { readonly kind: 'unavailable'; readonly status: number; readonly problem: string; readonly fix: string }
  /** 429 `rate_limited`, or without a reason. `retryAfterMs` is undefined if it names no credible wait. */
  | { readonly kind: 'refused'; readonly status: number; readonly retryAfterMs: number | undefined }
  /** 429 `quota`: this kind of call has a daily cap of its own. */
  | { readonly kind: 'quota'; readonly status: number }
  | { readonly kind: 'redirect'; readonly status: number; readonly problem: string; readonly fix: string }
  /** `unsent`: there was no connection, so the server cannot have counted the request. */
  | (Failure<'retry'> & { readonly unsent?: true })
  | Failure<'skip'>;

interface Failure<Kind> {
  readonly kind: Kind;
  readonly status: number | undefined;
  readonly problem: string;
  readonly fix: string;
  readonly cause?: unknown;
}

interface ClassifyOptions {
  readonly accept: 'json' | 'csv';
  readonly maxNesting: number;
  readonly scrub: (text: string) => string;
  /** Id of the public result that is asked for without a key. */
  readonly publicId?: string;
  readonly keyFrom?: string | undefined;
}

export function classifyAnswer(answer: RawAnswer, options: ClassifyOptions): Verdict {
  const { status } = answer;
  if (status >= 200 && status < 300) return classifySuccess(answer, options);
  if (status >= 300 && status < 400) {
    return {
      kind: 'redirect',
      status,
      problem: `answered with a redirect (${status}), which is not followed, so that the key is sent nowhere else`,
      fix: 'Set AIRANK_BASE_URL to the address at which the service itself answers.',
    };
  }
  const got = `answered ${status}, got ${quote(answer.text, options.scrub)}`;
  if (status === 401 || status === 403 || status === 404) {
    return { kind: 'unavailable', status, problem: got, fix: unavailableFix(status, options) };
  }
  if (status === 429) return classifyRefusal(answer);
  if (status >= 500 || status === 408 || status === 425) {
    return {
      kind: 'retry',
      status,
      problem: got,
      fix: 'Try again later; the service itself has a problem.',
    };
  }
  return {
    kind: 'skip',
    status,
    problem: got,
    fix: 'Check the route and the query parameters; those of a stream are in the configuration.',
  };
}

export function classifyFailure(
  error: unknown,
  status: number | undefined,
  settings: { readonly maxBodyBytes: number; readonly bodyTimeoutMs: number },
): Verdict {
  if (error instanceof BodyTooLargeError) {
    return {
      kind: 'skip',
      status,
      problem: `sent a body larger than ${settings.maxBodyBytes} bytes, the rest was not read`,
      fix: 'Leave the stream out (streams.<name>.enabled: false) if the route really is that large.',
      cause: error,
    };
  }
  if (error instanceof UnknownEncodingError) {
    return {
      kind: 'skip',
      status,
      problem: `used the ${error.message}, expected gzip, deflate, br or none`,
      fix: 'Check the proxy between this machine and AIRANK_BASE_URL.',
      cause: error,
    };
  }
  if (error instanceof ExchangeTimeoutError) {
    return {
      kind: 'retry',
      status,
      problem: `did not answer completely within ${settings.bodyTimeoutMs} ms`,
      fix: 'Try again later.',
      cause: error,
    };
  }
  if (error instanceof ProxyError) {
    const { problem, fix } = error;
    return {
      kind: 'retry',
      status,
      problem: `could not be reached: ${problem}`,
      fix: `${fix}.`,
      cause: error,
      unsent: true,
    };
  }
  const code = codeOf(error);
  if (code === 'UND_ERR_INVALID_ARG') {
    return {
      kind: 'skip',
      status,
      problem: 'could not be sent',
      fix: 'Check AIRANK_API_KEY for characters that a header cannot have, such as a line break.',
      cause: error,
    };
  }
  return {
    kind: 'retry',
    status,
    problem: `lost the connection (${code ?? 'unknown network error'})`,
    fix: fixOfCode(code),
    cause: error,
    ...(status === undefined && hadNoConnection(code, error) && { unsent: true as const }),
  };
}

export function isUnsent(verdict: Verdict): verdict is Failure<'retry'> & { readonly unsent: true } {
  return verdict.kind === 'retry' && verdict.unsent === true;
}

function classifySuccess(answer: RawAnswer, options: ClassifyOptions): Verdict {
  const broken = (expected: string): Verdict => ({
    kind: 'retry',
    status: answer.status,
    problem: `answered ${answer.status}, expected ${expected}, got ${quote(answer.text, options.scrub)}`,
    fix: 'Try again later; if it goes on, check AIRANK_BASE_URL.',
  });
  const start = answer.text.trimStart();
  if (options.accept === 'csv') {
    if (start === '' || start.startsWith('<')) return broken('CSV');
    // Still JSON: the walk judges it.
    return { kind: 'ok', answer, json: /^[{[]/.test(start) ? parsedOrUndefined(start) : undefined };
  }
  let json: unknown;
  try {
    json = JSON.parse(answer.text);
  } catch {
    return broken('JSON');
  }
  // Checked before anything recurses over it. A text too short to hold so many brackets needs no check.
  if (answer.text.length > 2 * options.maxNesting && nestsDeeper(json, options.maxNesting)) {
    return {
      kind: 'skip',
      status: answer.status,
      problem: `answered ${answer.status}, expected lists and objects nested at most ${options.maxNesting} deep, got deeper nesting`,
      fix: 'Leave the stream out (streams.<name>.enabled: false) if the route really nests that deep.',
    };
  }
  return { kind: 'ok', answer, json };
}

function classifyRefusal(answer: RawAnswer): Verdict {
  const { isQuota, askedMs } = readRefusal(answer);
  if (isQuota) return { kind: 'quota', status: answer.status };
  return { kind: 'refused', status: answer.status, retryAfterMs: askedMs };
}

/** Reads a 429: whether this kind of call is used up for the day, and how long to wait. */
export function readRefusal({ text, headers }: RawAnswer): {
  readonly isQuota: boolean;
  readonly askedMs: number | undefined;
} {
  const body = parsedOrUndefined(text);
  const reason = isObject(body) ? body['error'] : undefined;
  return { isQuota: reason === 'quota', askedMs: retryAfterMs(body, headerText(headers['retry-after'])) };
}

export function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unavailableFix(
  status: number,
  { publicId, keyFrom }: Pick<ClassifyOptions, 'publicId' | 'keyFrom'>,
): string {
  if (publicId !== undefined) {
    const id = JSON.stringify(publicId);
    const what =
      status === 404 ? `There is no public result ${id}.` : `Result ${id} cannot be read without a key.`;
    return `${what} Correct it or remove it in public_ids of the configuration.`;
  }
  if (status === 403) return 'The key has no right to this route; ask the service, or leave the stream out.';
  return keyOrAddressFix(status, keyFrom);
}

/** Says what to do about a wrong key or address, whatever was asked. */
export function keyOrAddressFix(status: number, keyFrom = usualKeyFrom): string {
  if (status === 401) return `Check the key in ${keyFrom}.`;
  return 'The account does not have this route, or AIRANK_BASE_URL is not the address of the service.';
}

function fixOfCode(code: string | undefined): string {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'Check the host name in AIRANK_BASE_URL.';
  if (code === 'ECONNREFUSED') return 'Nothing listens there: check host and port in AIRANK_BASE_URL.';
  if (
    code?.includes('CERT') ||
    distrust.test(code ?? '') ||
    code?.startsWith('ERR_TLS') ||
    code?.startsWith('ERR_SSL')
  ) {
    return 'The TLS connection cannot be trusted: check AIRANK_BASE_URL and the proxy in between.';
  }
  return 'Check the network between this machine and AIRANK_BASE_URL.';
}

/** We do not trust the other side's certificate, and end the handshake before anything is sent. */
const distrust =
  /^(?:UNABLE_TO_|CERT_|DEPTH_ZERO_|SELF_SIGNED_CERT_|HOSTNAME_MISMATCH$|INVALID_CA$|ERR_TLS_CERT_ALTNAME_)/;

/** True if no connection came about, so nothing was sent. A time-out of an open one has another code or call. */
function hadNoConnection(code: string | undefined, error: unknown): boolean {
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') return true;
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || distrust.test(code ?? '')) return true;
  return innermost(error, 'syscall') === 'connect';
}

/** Returns the innermost error code: undici and AggregateError wrap what the socket said. */
function codeOf(error: unknown): string | undefined {
  return innermost(error, 'code');
}

function innermost(error: unknown, field: 'code' | 'syscall', depth = 0): string | undefined {
  if (!isObject(error) || depth > 4) return undefined;
  const { [field]: own, cause, errors } = error;
  const inner =
    innermost(cause, field, depth + 1) ??
    (Array.isArray(errors) ? innermost(errors[0], field, depth + 1) : undefined);
  return inner ?? (typeof own === 'string' ? own : undefined);
}
