// The three POST routes with their bounds and caps. They answer as the service would and leave the world
// as it is: a measurement started here is a one-off that enters no list (docs/api.md, "Write routes").
import type { JsonObject } from './json-literal.ts';
import { countLogLines, isLogEvent } from './log-lines.ts';
import { hashOf } from './random.ts';
import { RateWindow } from './rate-window.ts';
import { jsonReply, problem, type Reply, refusal } from './reply.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const mebibyte = 1024 * 1024;

/** Bounds of the reference. */
const measurementsPerDay = 3;
const uploadsPerHour = 20;
const eventsPerUpload = 5000;
const questionsPerRequest = 20;
const questionsPerDay = 200;
const questionLength = { min: 8, max: 300 } as const;
const retentionDays = 90;

export interface WriteRequest {
  readonly contentType: string;
  readonly body: string;
  readonly nowMs: number;
}

export const writeRoutes = ['airank/run', 'crawl-logs', 'bgpi/observe'] as const;
export type WriteRoute = (typeof writeRoutes)[number];

/** The largest body that is read: 5 MB of text, 1 MB of JSON. */
export function maxBodyBytes(route: WriteRoute, contentType: string): number {
  return route === 'crawl-logs' && !isJson(contentType) ? 5 * mebibyte : mebibyte;
}

function isJson(contentType: string): boolean {
  return /^application\/json\b/i.test(contentType);
}

/** The POST routes of one account, with what it has used of its caps. */
export class Writes {
  readonly #measurements = new RateWindow(measurementsPerDay, 'fixed', dayMs);
  readonly #uploads = new RateWindow(uploadsPerHour, 'fixed-first', hourMs);
  readonly #questions = new RateWindow(questionsPerDay, 'fixed', dayMs);
  /** Business → measurement of the same day, which is reused unless `forzar`. */
  readonly #recent = new Map<string, { readonly id: string; readonly day: number }>();

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
      return refusal('quota', 'Se han agotado las 3 mediciones nuevas del día.', taken.resetMs);
    }
    const id = `run-${hashOf(business, day, taken.remaining).toString(36)}`;
    this.#recent.set(business, { id, day });
    return jsonReply(201, { ...run(id, empresa, false), restantesHoy: taken.remaining });
  }

  #upload(request: WriteRequest): Reply {
    const counted = isJson(request.contentType) ? countEvents(request.body) : countText(request.body);
    if (counted.kind === 'invalid') return counted.reply;
    const taken = this.#uploads.take(request.nowMs);
    if (!taken.allowed) return refusal('rate_limited', 'Como máximo 20 envíos por hora.', taken.resetMs);
    return jsonReply(202, { ...counted.body, retencionDias: retentionDays, ipGuardada: false });
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
    if (!taken.allowed) return refusal('quota', 'Como máximo 200 preguntas al día.', taken.resetMs);
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

type Counted =
  | { readonly kind: 'counted'; readonly body: JsonObject }
  | { readonly kind: 'invalid'; readonly reply: Reply };

function countEvents(text: string): Counted {
  const events = parseObject(text)?.['eventos'];
  if (!Array.isArray(events))
    return { kind: 'invalid', reply: invalid('eventos', 'Se espera una lista de eventos.') };
  if (events.length > eventsPerUpload) {
    const reply = problem(413, 'demasiados_eventos', 'Como máximo 5000 eventos por envío.', {
      maximo: eventsPerUpload,
    });
    return { kind: 'invalid', reply };
  }
  const accepted = events.filter(isLogEvent).length;
  const body = { formato: 'json', aceptados: accepted, descartados: events.length - accepted };
  return { kind: 'counted', body };
}

function countText(text: string): Counted {
  const counted = countLogLines(text);
  if (counted === undefined) {
    const reply = invalid('cuerpo', 'Se espera formato combinado, JSON por línea o CSV con cabecera.');
    return { kind: 'invalid', reply };
  }
  const body = { formato: counted.form, aceptados: counted.accepted, descartados: counted.dropped };
  return { kind: 'counted', body };
}

function isQuestion(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const length = [...value.trim()].length;
  return length >= questionLength.min && length <= questionLength.max;
}

function invalid(field: string, message: string): Reply {
  return problem(400, 'peticion_invalida', message, { campo: field });
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
