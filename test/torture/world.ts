// The world that the hostile server shows: every record is a function of the day, so that the truth of any
// date can be said afterwards. Days count from 1; each changes, adds and (where it may) ends a little.
import { clientIds } from './kinds.ts';

export type Fields = Record<string, unknown>;

export const questions = ['¿Qué marcas recomiendan para viajar?', '¿Quién lidera el sector?'];
export const publicIds = ['pub-1', 'pub-2'];

/** Records of a list, as the server shows them on a day, newest first. */
export function recordsOf(stream: string, client: string, day: number): Fields[] {
  switch (stream) {
    case 'respuestas':
      return numbers(848 + 3 * day).map((n) => answer(n, n === 40 + day ? day : 0));
    case 'competitors':
      return numbers(420 + day, day).map((n) => competitor(n, n % 97 === day ? day : 0));
    case 'products':
      return numbers((client === 'c2' ? 230 : 12) + day, day).map((n) => product(client, n, day));
    case 'visibility_history':
      return numbers(60 + day).map((n) => point(client, n));
    case 'airank_history':
      return numbers(90 + day).map((n) => historyRow(n));
    case 'agent_runs':
      return numbers(10 + 2 * day).map((n) => agentRun(n, day));
    case 'sources':
      return numbers(5 + day).map((n) => ({
        dominio: `d${n}.example`,
        autoridad: n % 5,
        dia: n === 3 ? day : 0,
      }));
    case 'demand':
      return numbers(30).map((n) => ({
        id: n,
        prompt: `p${n}`,
        tipo: 'observada',
        demanda: n === 1 ? day : n,
      }));
    case 'benchmark':
      return numbers(6).map((n) => ({ corte: `corte ${n}`, percentil: n === 1 ? day : 40 + n, marcas: 30 }));
    case 'clientes':
      return clientIds.map((id) => ({ id, nombre: `Cliente ${id}`, sector: 'viajes', dia: 1 }));
    default:
      throw new Error(`no list: ${stream}`);
  }
}

/** The body of a route that is one record; `value` is the run, the question or the public id. */
export function bodyOf(stream: string, client: string, day: number, value = ''): Fields {
  switch (stream) {
    case 'prediccion':
      return {
        fecha: dateOf(day),
        actual: 60 + day,
        previsto: 63,
        tendencia: 'sube',
        confianza: 0.8,
        horizonte: 30,
      };
    case 'airank':
      return {
        cliente: client,
        fecha: dateOf(day),
        airank: 50 + day,
        metodo: 'v2',
        comparable: true,
        dimensiones: { presencia: day, tono: 3 },
        motivos: ['m1', 'm2'],
      };
    case 'agent_os':
      return {
        decision: 'ACT',
        fecha: dateOf(day),
        porque: `día ${day}`,
        porque_no: [],
        aprobaciones: [],
        proyectos: [{ id: 1 }],
        autonomia: { nivel: 2 },
      };
    case 'surfaces':
      return { motores: [{ motor: 'a', texto: true, mapas: day }], preguntas: 4 };
    case 'prompt_research':
      return {
        estado: 'terminada',
        fecha: dateOf(day),
        candidatos: [{ texto: 'a', demanda: 'estimada' }],
        intencion: 'x',
      };
    case 'agent_run_traces':
      return {
        run_id: value,
        run: agentRun(Number(value.slice(4)), day),
        eventos: [{ n: 1 }, { n: 2 }],
        hipotesis: ['h'],
        politica: { ok: true },
        cambios: [],
      };
    case 'ask':
      return { pregunta: value, respuesta: `día ${day}`, basado_en: ['airank', 'citas'], fecha: dateOf(day) };
    case 'airank_public':
      return { id: value, airank: 40 + day, metodo: 'v1', fecha: dateOf(day) };
    default:
      throw new Error(`no body: ${stream}`);
  }
}

/** The keys of a route with one request a value. */
export function valuesOf(stream: string, day: number): string[] {
  if (stream === 'ask') return questions;
  if (stream === 'airank_public') return publicIds;
  return recordsOf('agent_runs', '', day).map((run) => String(run['run_id']));
}

/** The run date of a day: any calendar date will do. */
export function dateOf(day: number): string {
  return new Date(Date.UTC(2025, 2, day)).toISOString().slice(0, 10);
}

/** The newest first; those up to `gone` have left. */
function numbers(newest: number, gone = 0): number[] {
  return Array.from({ length: newest - gone }, (_, index) => newest - index);
}

function answer(n: number, changed: number): Fields {
  const text = `Respuesta ${n} ${'con texto '.repeat(3)}`;
  return {
    id: `r-${n}`,
    motor: `m${n % 4}`,
    texto: changed === 0 ? text : `${text}${changed}`,
    citas: n % 7,
  };
}

function competitor(n: number, changed: number): Fields {
  return {
    id: n,
    dominio: `rival-${n}.example`,
    clase: ['primario', 'emergente', 'descubierto'][n % 3],
    peso: changed,
  };
}

function product(client: string, n: number, day: number): Fields {
  return {
    id: `${client}-${n}`,
    cliente: client,
    sku: `S${n}`,
    precio: n === day + 5 ? 10 + day : 10,
    presencia: n % 10,
  };
}

function point(client: string, n: number): Fields {
  return { id: `${client}-v${n}`, cliente: client, fecha: dateOf(n - 70), metodo: 'v2', valor: 40 + (n % 9) };
}

function historyRow(n: number): Fields {
  return { medicion_id: n, fecha: dateOf(n - 95), airank: 50 + (n % 11), metodo: 'v1' };
}

function agentRun(n: number, day: number): Fields {
  return { run_id: `run-${n}`, estado: n === 9 + 2 * day ? `dia-${day}` : 'hecho', resumen: `r${n}` };
}
