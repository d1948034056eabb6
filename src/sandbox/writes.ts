// The three POST routes with their bounds and caps. They answer like the service but leave the world as it is: a
// measurement started here is a one-off that enters no list (api.md, "Write routes").
import { writeLimits } from '../core/budget.ts';
import { dayMs } from '../core/run-date.ts';
import type { SandboxSettings } from './options.ts';
import { hashOf } from './random.ts';
import { RateWindow } from './rate-window.ts';
import { invalid, jsonReply, problem, type Reply, refusal } from './reply.ts';

export interface UploadStats {
  readonly uploads: number;
  readonly lines: number;
  readonly dropped: number;
}

export const writeRoutes = ['airank/run', 'crawl-logs', 'bgpi/observe'] as const;
export type WriteRoute = (typeof writeRoutes)[number];

interface WriteRequest {
  readonly contentType: string;
  readonly body: string;
  readonly nowMs: number;
}

/** The reference says MB without a definition; 10^6 bytes fits both readings. */
const megabyte = 1_000_000;
const eventsPerUpload = 5000;
const retentionDays = 90;
const maxQuestions = 20;

/** Returns the size limit of a body: 5 MB of text, 1 MB of JSON. */
export function maxBodyBytes(route: WriteRoute, contentType: string): number {
  return route === 'crawl-logs' && !isJson(contentType) ? 5 * megabyte : megabyte;
}

const isJson = (contentType: string) => /^application\/json\b/i.test(contentType);

interface LogLines {
  readonly form: 'combinado' | 'json_por_linea' | 'csv' | 'json';
  readonly lines: readonly string[];
  readonly dropped: number;
}

const combined = /^\S+ \S+ \S+ \[[^\]]+\] "[A-Z]+ \S+[^"]*" \d{3} (?:\d+|-)(?: "[^"]*" "[^"]*")?/;

/** Recognises the three text forms of an upload: combined format, JSON lines, CSV with a header row. */
function readText(text: string): LogLines | Reply {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const first = lines[0] ?? '';
  if (combined.test(first)) return read('combinado', lines, (line) => combined.test(line));
  if (first.trimStart().startsWith('{')) {
    return read('json_por_linea', lines, (line) => isLogEvent(parseObject(line)));
  }
  const columns = first.split(',').map((column) => column.trim().toLowerCase());
  if (!columns.includes('fecha') || !columns.includes('ruta'))
    return invalid('cuerpo', 'Se espera formato combinado, JSON por línea o CSV con cabecera.');
  return read('csv', lines.slice(1), (line) => line.split(',').length >= columns.length);
}

function readEvents(text: string): LogLines | Reply {
  const events = parseObject(text)?.['eventos'];
  if (!Array.isArray(events)) return invalid('eventos', 'Se espera una lista de eventos.');
  if (events.length <= eventsPerUpload) {
    const lines = events.map((event) => JSON.stringify(event));
    return { form: 'json', lines, dropped: events.filter((event) => !isLogEvent(event)).length };
  }
  const maximo = eventsPerUpload;
  return problem(413, 'demasiados_eventos', `Como máximo ${maximo} eventos por envío.`, { maximo });
}

function read(form: LogLines['form'], lines: readonly string[], usable: (line: string) => boolean): LogLines {
  return { form, lines, dropped: lines.filter((line) => !usable(line)).length };
}

/** True for a log event with the required fields (api.md, "Write routes"). */
function isLogEvent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { fecha, ruta }: { readonly fecha?: unknown; readonly ruta?: unknown } = value;
  return (typeof fecha === 'string' || typeof fecha === 'number') && typeof ruta === 'string';
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** The POST routes of one account, and how much of its caps is used. */
export class Writes {
  readonly #settings: SandboxSettings;
  readonly #measurements = new RateWindow(writeLimits.measurement, 'fixed', dayMs);
  readonly #questions = new RateWindow(writeLimits.questions, 'fixed', dayMs);
  readonly #uploads: RateWindow;
  /** Business → measurement of the same day, which is reused unless `forzar`. */
  readonly #recent = new Map<string, { readonly id: string; readonly day: number }>();
  received: UploadStats = { uploads: 0, lines: 0, dropped: 0 };

  constructor(settings: SandboxSettings) {
    this.#settings = settings;
    // `sliding` is the strictest of the ways to count an hour.
    this.#uploads = new RateWindow(settings.uploadsPerHour, 'sliding', settings.uploadWindowMs);
  }

  answer(route: WriteRoute, request: WriteRequest): Reply {
    switch (route) {
      case 'airank/run':
        return this.#run(request);
      case 'crawl-logs':
        return this.#upload(request);
      case 'bgpi/observe':
        return this.#observe(request);
    }
  }

  #upload({ contentType, body, nowMs }: WriteRequest): Reply {
    const told = isJson(contentType) ? readEvents(body) : readText(body);
    if ('status' in told) return told;
    const taken = this.#uploads.take(nowMs);
    if (!taken.allowed) {
      const { uploadsPerHour } = this.#settings;
      return refusal('rate_limited', `Como máximo ${uploadsPerHour} envíos por hora.`, taken.resetMs);
    }
    const { uploads, lines, dropped } = this.received;
    const usable = told.lines.length - told.dropped;
    this.received = { uploads: uploads + 1, lines: lines + usable, dropped: dropped + told.dropped };
    this.#settings.faults.received?.(told.lines);
    const counts = { aceptados: usable, descartados: told.dropped };
    return jsonReply(202, { formato: told.form, ...counts, retencionDias: retentionDays, ipGuardada: false });
  }

  #run({ body, nowMs }: WriteRequest): Reply {
    const asked = parseObject(body);
    if (asked === undefined) return invalid('cuerpo', 'Se espera un objeto JSON.');
    const { empresa, sector, ubicacion, forzar } = asked;
    if (typeof empresa !== 'string' || empresa.trim() === '')
      return invalid('empresa', 'Se espera un texto no vacío.');
    for (const [field, value] of Object.entries({ sector, ubicacion })) {
      if (value !== undefined && typeof value !== 'string') return invalid(field, 'Se espera un texto.');
    }
    if (forzar !== undefined && typeof forzar !== 'boolean')
      return invalid('forzar', 'Se espera true o false.');
    const business = JSON.stringify([empresa, sector ?? '', ubicacion ?? '']);
    const day = Math.floor(nowMs / dayMs);
    const recent = this.#recent.get(business);
    // A one-off is compared with nothing.
    const run = { empresa, tipo: 'puntual', metodo: 'v2', comparable: false, razones: ['medicion_puntual'] };
    if (forzar !== true && recent?.day === day) {
      return jsonReply(200, { id: recent.id, ...run, estado: 'completa', reutilizada: true });
    }
    const taken = this.#measurements.take(nowMs);
    if (!taken.allowed) {
      const most = writeLimits.measurement;
      return refusal('quota', `Se han agotado las ${most} mediciones nuevas del día.`, taken.resetMs);
    }
    const id = `run-${hashOf(business, day, taken.remaining).toString(36)}`;
    this.#recent.set(business, { id, day });
    const more = { estado: 'en_curso', reutilizada: false, restantesHoy: taken.remaining };
    return jsonReply(201, { id, ...run, ...more });
  }

  #observe({ body, nowMs }: WriteRequest): Reply {
    const questions = parseObject(body)?.['preguntas'];
    if (!Array.isArray(questions) || questions.length === 0)
      return invalid('preguntas', 'Se espera una lista de preguntas.');
    if (questions.length > maxQuestions)
      return invalid('preguntas', 'Como máximo 20 preguntas por petición.');
    const wrong = questions.findIndex((question) => !isQuestion(question));
    if (wrong !== -1)
      return invalid(`preguntas[${wrong}]`, 'Cada pregunta es un texto de 8 a 300 caracteres.');
    const taken = this.#questions.take(nowMs, questions.length);
    if (!taken.allowed)
      return refusal('quota', `Como máximo ${writeLimits.questions} preguntas al día.`, taken.resetMs);
    return jsonReply(202, { aceptadas: questions.length, restantesHoy: taken.remaining });
  }
}

function isQuestion(value: unknown): boolean {
  const length = typeof value === 'string' ? [...value.trim()].length : 0;
  return length >= 8 && length <= 300;
}
