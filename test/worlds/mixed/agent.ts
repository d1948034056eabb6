// The agent: what it remembers, how it is, and its runs, of which one can be asked for whole.
import type { Routes, Truth } from '../world.ts';
import { type Customer, customers } from './customers.ts';
import { chance, decimal, hex, on, padded, pick, some, upTo, whole } from './kit.ts';

const decisions = ['ACT', 'REQUIRE_APPROVAL', 'WAIT', 'INVESTIGATE_MORE', 'NO_ACTION'];
const levers = ['contenido', 'fuentes externas', 'ficha de producto', 'precio', 'reseñas'];
const reasons = [
  'La presencia cayó tres días seguidos',
  'Hay una página lista para publicar',
  'El rival principal ganó dos fuentes',
  'Falta una respuesta a la pregunta más buscada',
];
const doubts = [
  'La muestra de Copilot es chica',
  'El cambio anterior sigue en observación',
  'No hay presupuesto',
];

const runCode = (number: number): string => `RUN-${padded(number, 4)}`;

/** Some weeks are too noisy to tell. */
const verdictOn = (isRight: boolean, index: number): string =>
  chance('noise', index) < 0.15 ? 'sin señal' : isRight ? 'acertó' : 'falló';

const memory = (day: number): unknown[] =>
  upTo(66 + day).map((index) => {
    const isRead = index < 58 + day;
    const isUp = chance('direction', index) < 0.7;
    const points = decimal(0.5, 5, 1, 'points', index);
    const observed = decimal(-2, 6, 1, 'observed', index);
    const hasRisen = observed > 0.5;
    return {
      entradaId: `MEM-${padded(index + 1, 4)}`,
      decididoEn: on(index - 66, -20).epochSeconds,
      decision: pick(decisions, 'memory', index),
      palanca: pick(levers, 'lever', index),
      esperado: { direccion: isUp ? 'sube' : 'se mantiene', da: points },
      observado: isRead ? { db: observed } : null,
      veredicto: isRead ? verdictOn(isUp === hasRisen, index) : 'pendiente',
      cuentaId: pick(customers, 'memory', index).code,
      versionPolitica: `p${1 + Math.floor(index / 25)}`,
    };
  });

const state = (day: number): unknown => ({
  estatus_agente: 'operando',
  modo_autonomia: 'con aprobación',
  ultima_decision: {
    veredicto: pick(decisions, 'state', day),
    dia: on(day).spelled,
    por_que: some(reasons, 0.6, 'why', day),
    por_que_no_otra: some(doubts, 0.6, 'why not', day).map((texto, index) => ({
      orden: index + 1,
      texto,
    })),
  },
  aprobaciones_pendientes: upTo(2 + day).map((index) => ({
    folio: `AP-${index + 1}`,
    desde: on(-index).day,
  })),
  proyectos: [{ nombre: 'Guías 2026', avance: 0.4 }],
  aprendizaje: { contenido: 0.6, precio: 0.2 },
  version_motor: '7.3',
});

const run = (number: number, day: number): Record<string, unknown> => {
  const isUnderWay = number === 90 + day;
  const start = number - 90;
  return {
    run_id: runCode(number),
    estado: isUnderWay ? 'en_curso' : pick(['completada', 'completada', 'fallida'], 'run', number),
    decision: pick(decisions, 'state', number - 90),
    resumen: `Revisó ${whole(3, 9, 'checked', number)} señales y ${pick(['propuso un cambio', 'esperó'], 'run end', number)}`,
    started_at: on(start, -40).utc,
    next_check: on(start + 1, -40).day,
    tokens: whole(2000, 90_000, 'tokens', number),
    politica_hash: hex(10, 'policy', number),
  };
};

function runs(id: string | null, day: number): unknown {
  const known = upTo(90 + day).map((index) => run(90 + day - index, day));
  if (id === null) return { runs: known, siguiente_corrida: on(day + 1, -40).utc };
  const found = known.find(({ run_id }) => run_id === id);
  if (found === undefined) return undefined;
  const events = ['lectura', 'hipótesis', 'política', 'simulación'].map((tipo, paso) => ({ paso, tipo }));
  return { ...found, traza: { eventos: events, herramientas: ['airank', 'citations'], reversa: null } };
}

export const agentAnswers: Routes<Customer> = {
  'agent/memory': ({ day }) => ({ entradas: memory(day), politicaVigente: 'p3' }),
  'agent/os': ({ day }) => state(day),
  'agent/runs': ({ query, day }) => runs(query.get('id'), day),
};

export const agentTruth: Truth = {
  'agent_memory.client': { paths: ['cuentaId'] },
  'agent_memory.id': { paths: ['entradaId'] },
  'agent_memory.date': { paths: ['decididoEn'] },
  'agent_memory.decision': { paths: ['decision'] },
  'agent_memory.lever': { paths: ['palanca'] },
  'agent_memory.expected_direction': { paths: ['esperado.direccion'] },
  'agent_memory.expected_points': { paths: ['esperado.da'], isDoubtful: true },
  'agent_memory.observed_points': { paths: ['observado.db'], isDoubtful: true },
  'agent_memory.verdict': { paths: ['veredicto'] },

  'agent_state.status': { paths: ['estatus_agente'] },
  'agent_state.decision': { paths: ['ultima_decision.veredicto'] },
  'agent_state.date': { paths: ['ultima_decision.dia'] },
  'agent_state.why': { paths: ['ultima_decision.por_que'] },
  'agent_state.why_not': {
    paths: ['ultima_decision.por_que_no_otra', 'ultima_decision.por_que_no_otra[].texto'],
  },

  'agent_runs.id': { paths: ['run_id'] },
  'agent_runs.started_at': { paths: ['started_at'] },
  'agent_runs.status': { paths: ['estado'] },
  'agent_runs.decision': { paths: ['decision'] },
  'agent_runs.summary': { paths: ['resumen'] },
};
