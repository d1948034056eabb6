// POST crawl-logs of one account: text or JSON events, so many an hour.
import { isLogEvent, readLogLines } from './log-lines.ts';
import { parseObject } from './parse-object.ts';
import { RateWindow } from './rate-window.ts';
import type { ReceivedLines } from './received-lines.ts';
import { invalid, jsonReply, problem, type Reply, refusal } from './reply.ts';
import { isJson, type WriteLimits } from './write-limits.ts';
import type { WriteRequest } from './write-request.ts';

const eventsPerUpload = 5000;
const retentionDays = 90;

interface Read {
  readonly form: string;
  readonly lines: readonly string[];
  readonly dropped: number;
}

export class Uploads {
  readonly #limits: WriteLimits;
  readonly #window: RateWindow;
  readonly #received: ReceivedLines;

  constructor(limits: WriteLimits, received: ReceivedLines) {
    this.#limits = limits;
    this.#received = received;
    // Of all ways to count an hour the one that lets least through.
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
    this.#received.add(read.lines, read.dropped);
    return jsonReply(202, {
      formato: read.form,
      aceptados: read.lines.length - read.dropped,
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
