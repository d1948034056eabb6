// The three POST routes with their bounds and caps. They answer as the service would and leave the world
// as it is: a measurement started here is a one-off that enters no list (api.md, "Write routes").
import { dayMs } from '../core/run-date.ts';
import type { FaultOptions } from './faults.ts';
import type { JsonObject } from './json-literal.ts';
import { hashOf } from './random.ts';
import { RateWindow } from './rate-window.ts';
import { invalid, jsonReply, problem, type Reply, refusal } from './reply.ts';

export interface UploadStats {
  readonly uploads: number;
  readonly lines: number;
  readonly dropped: number;
}

/** A request to one of the three POST routes, its body read. */
export const writeRoutes = ['airank/run', 'crawl-logs', 'bgpi/observe'] as const;
export type WriteRoute = (typeof writeRoutes)[number];

interface WriteRequest {
  readonly contentType: string;
  readonly body: string;
  readonly nowMs: number;
}

/** The reference says MB and not which: 10^6 bytes is the reading that fits both. */
const megabyte = 1_000_000;
const questionsPerDay = 200;
const measurementsPerDay = 3;

export interface WriteLimitOptions {
  /** Uploads of logs an hour. Default 20. */
  readonly uploadsPerHour?: number | undefined;
  /** How long that hour takes, in milliseconds; less for experiments. Default 3,600,000. */
  readonly uploadWindowMs?: number | undefined;
}

export type WriteLimits = {
  readonly [Name in keyof WriteLimitOptions]-?: NonNullable<WriteLimitOptions[Name]>;
};

export const writeLimits: WriteLimits = {
  uploadsPerHour: 20,
  uploadWindowMs: 3_600_000,
};

/** The largest body that is read: 5 MB of text, 1 MB of JSON. */
export function maxBodyBytes(route: WriteRoute, contentType: string): number {
  return route === 'crawl-logs' && !isJson(contentType) ? 5 * megabyte : megabyte;
}

function isJson(contentType: string): boolean {
  return /^application\/json\b/i.test(contentType);
}

/** Recognises the three text forms of a log upload: combined format, JSON per line, CSV with a header row. */
type LogForm = 'combinado' | 'json_por_linea' | 'csv';

interface LogLines {
  readonly form: LogForm;
  readonly lines: readonly string[];
  readonly dropped: number;
}

const combined = /^\S+ \S+ \S+ \[[^\]]+\] "[A-Z]+ \S+[^"]*" \d{3} (?:\d+|-)(?: "[^"]*" "[^"]*")?/;

/** Undefined when the text is in none of the forms. */
function readLogLines(text: string): LogLines | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const [first] = lines;
  if (first === undefined) return undefined;
  if (combined.test(first)) return read('combinado', lines, (line) => combined.test(line));
  if (first.trimStart().startsWith('{')) return read('json_por_linea', lines, isEventLine);
  const columns = first.split(',').map((column) => column.trim().toLowerCase());
  if (!columns.includes('fecha') || !columns.includes('ruta')) return undefined;
  return read('csv', lines.slice(1), (line) => line.split(',').length >= columns.length);
}

/** Whether a value is a log event with the fields that matter (api.md, "Write routes"). */
function isLogEvent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const event: { readonly fecha?: unknown; readonly ruta?: unknown } = value;
  return (
    (typeof event.fecha === 'string' || typeof event.fecha === 'number') && typeof event.ruta === 'string'
  );
}

function isEventLine(line: string): boolean {
  try {
    return isLogEvent(JSON.parse(line));
  } catch {
    return false;
  }
}

function read(form: LogForm, lines: readonly string[], usable: (line: string) => boolean): LogLines {
  return { form, lines, dropped: lines.filter((line) => !usable(line)).length };
}

/** Undefined when it is none. */
function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** POST crawl-logs of one account: text or JSON events, so many an hour. */
const eventsPerUpload = 5000;
const retentionDays = 90;

interface Read {
  readonly form: string;
  readonly lines: readonly string[];
  readonly dropped: number;
}

class Uploads {
  readonly #limits: WriteLimits;
  readonly #window: RateWindow;
  readonly #told: FaultOptions['received'];
  received: UploadStats = { uploads: 0, lines: 0, dropped: 0 };

  constructor(limits: WriteLimits, told: FaultOptions['received']) {
    this.#limits = limits;
    this.#told = told;
    // `sliding` lets the least through of all ways to count an hour.
    this.#window = new RateWindow(limits.uploadsPerHour, 'sliding', limits.uploadWindowMs);
  }

  answer(request: WriteRequest): Reply {
    const read = isJson(request.contentType) ? readEvents(request.body) : readText(request.body);
    if ('status' in read) return read;
    const taken = this.#window.take(request.nowMs);
    if (!taken.allowed) {
      const most = this.#limits.uploadsPerHour;
      return refusal('rate_limited', `Como máximo ${most} envíos por hora.`, taken.resetMs);
    }
    const { uploads, lines, dropped } = this.received;
    const usable = read.lines.length - read.dropped;
    this.received = { uploads: uploads + 1, lines: lines + usable, dropped: dropped + read.dropped };
    this.#told?.(read.lines);
    return jsonReply(202, {
      formato: read.form,
      aceptados: usable,
      descartados: read.dropped,
      retencionDias: retentionDays,
      ipGuardada: false,
    });
  }
}

function readEvents(text: string): Read | Reply {
  const events = parseObject(text)?.['eventos'];
  if (!Array.isArray(events)) return invalid('eventos', 'Se espera una lista de eventos.');
  if (events.length > eventsPerUpload) {
    return problem(413, 'demasiados_eventos', `Como máximo ${eventsPerUpload} eventos por envío.`, {
      maximo: eventsPerUpload,
    });
  }
  const dropped = events.filter((event) => !isLogEvent(event)).length;
  return { form: 'json', lines: events.map((event) => JSON.stringify(event)), dropped };
}

function readText(text: string): Read | Reply {
  return (
    readLogLines(text) ?? invalid('cuerpo', 'Se espera formato combinado, JSON por línea o CSV con cabecera.')
  );
}

const questionsPerRequest = 20;
const questionLength = { min: 8, max: 300 } as const;

/** The POST routes of one account, with what it has used of its caps. */
export class Writes {
  readonly #measurements: RateWindow;
  readonly #questions: RateWindow;
  readonly #uploads: Uploads;
  /** Business → measurement of the same day, which is reused unless `forzar`. */
  readonly #recent = new Map<string, { readonly id: string; readonly day: number }>();

  constructor(limits: WriteLimits, told: FaultOptions['received']) {
    this.#measurements = new RateWindow(measurementsPerDay, 'fixed', dayMs);
    this.#questions = new RateWindow(questionsPerDay, 'fixed', dayMs);
    this.#uploads = new Uploads(limits, told);
  }

  get received(): UploadStats {
    return this.#uploads.received;
  }

  answer(route: WriteRoute, request: WriteRequest): Reply {
    switch (route) {
      case 'airank/run':
        return this.#run(request);
      case 'crawl-logs':
        return this.#uploads.answer(request);
      case 'bgpi/observe':
        return this.#observe(request);
    }
  }

  #run(request: WriteRequest): Reply {
    const body = parseObject(request.body);
    if (body === undefined) return invalid('cuerpo', 'Se espera un objeto JSON.');
    const { empresa, sector, ubicacion, forzar } = body;
    if (typeof empresa !== 'string' || empresa.trim() === '')
      return invalid('empresa', 'Se espera un texto no vacío.');
    for (const [field, value] of Object.entries({ sector, ubicacion })) {
      if (value !== undefined && typeof value !== 'string') return invalid(field, 'Se espera un texto.');
    }
    if (forzar !== undefined && typeof forzar !== 'boolean')
      return invalid('forzar', 'Se espera true o false.');
    const business = JSON.stringify([empresa, sector ?? '', ubicacion ?? '']);
    const day = Math.floor(request.nowMs / dayMs);
    const recent = this.#recent.get(business);
    if (forzar !== true && recent?.day === day) return jsonReply(200, run(recent.id, empresa, true));
    const taken = this.#measurements.take(request.nowMs);
    if (!taken.allowed) {
      const most = measurementsPerDay;
      return refusal('quota', `Se han agotado las ${most} mediciones nuevas del día.`, taken.resetMs);
    }
    const id = `run-${hashOf(business, day, taken.remaining).toString(36)}`;
    this.#recent.set(business, { id, day });
    return jsonReply(201, { ...run(id, empresa, false), restantesHoy: taken.remaining });
  }

  #observe(request: WriteRequest): Reply {
    const questions = parseObject(request.body)?.['preguntas'];
    if (!Array.isArray(questions) || questions.length === 0) {
      return invalid('preguntas', 'Se espera una lista de preguntas.');
    }
    if (questions.length > questionsPerRequest)
      return invalid('preguntas', 'Como máximo 20 preguntas por petición.');
    const wrong = questions.findIndex((question) => !isQuestion(question));
    if (wrong !== -1)
      return invalid(`preguntas[${wrong}]`, 'Cada pregunta es un texto de 8 a 300 caracteres.');
    const taken = this.#questions.take(request.nowMs, questions.length);
    if (!taken.allowed) {
      const most = questionsPerDay;
      return refusal('quota', `Como máximo ${most} preguntas al día.`, taken.resetMs);
    }
    return jsonReply(202, { aceptadas: questions.length, restantesHoy: taken.remaining });
  }
}

function run(id: string, business: string, reused: boolean): JsonObject {
  return {
    id,
    empresa: business,
    estado: reused ? 'completa' : 'en_curso',
    tipo: 'puntual',
    metodo: 'v2',
    comparable: false,
    razones: ['medicion_puntual'],
    reutilizada: reused,
  };
}

function isQuestion(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const length = [...value.trim()].length;
  return length >= questionLength.min && length <= questionLength.max;
}
