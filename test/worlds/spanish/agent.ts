// The agent: what it decided, its runs, and the triggers that fired.
import { chance, decimal, pick, whole } from '../english/kit.ts';
import { round } from '../kit.ts';
import {
  at,
  is,
  isoTime,
  listed,
  longNumber,
  seconds,
  slashed,
  slashedTime,
  type Theme,
  unsure,
  uuid,
} from './kit.ts';
import { account, type Owner, owners } from './owners.ts';

const decisions = ['ACT', 'REQUIRE_APPROVAL', 'WAIT', 'INVESTIGATE_MORE', 'NO_ACTION'] as const;
const levers = ['contenido propio', 'reseñas', 'datos estructurados', 'medios', 'fichas'] as const;

/** Newest first, one a day for each of some owners. */
function days(day: number, back: number): { owner: Owner; date: number; seed: string }[] {
  return Array.from({ length: back + day }, (_, index) => day - index).flatMap((date) =>
    owners
      .filter((owner) => chance('agent', owner.slug, date) < 0.6)
      .map((owner) => ({ owner, date, seed: `${owner.slug}:${date}` })),
  );
}

function memory(day: number): unknown[] {
  return days(day, 60).map(({ owner, date, seed }) => {
    const observed = date + 14 <= day ? decimal(-3, 5, 1, 'observed', seed) : null;
    return {
      num_entrada: longNumber('memory', seed),
      para: owner.id,
      fec: slashed(at(date, 10)),
      resolucion: pick(decisions, 'decision', seed),
      palanca: pick(levers, 'lever', seed),
      pts_previstos: decimal(0.2, 4, 1, 'points', seed),
      pts_vistos: observed,
      dictamen: observed === null ? 'sin medir' : observed > 0 ? 'acertó el sentido' : 'falló el sentido',
      peso: decimal(0, 1, 2, 'weight', seed),
      autor: 'agente',
    };
  });
}

function runs(day: number): unknown[] {
  return days(day, 30).map(({ owner, date, seed }) => {
    const start = at(date, 9 + chance('run', seed));
    const running = date === day && owner === account;
    return {
      run_id: uuid('run', seed),
      cuenta: owner.slug,
      estado: running ? 'en curso' : pick(['terminado', 'terminado', 'con error'], 'state', seed),
      decision: running ? null : pick(decisions, 'decision', seed),
      empezo: isoTime(start),
      acabo: running ? null : isoTime(start + whole(20, 900, 'length', seed) * 1_000),
      sintesis: running ? null : `${owner.name}: ${pick(levers, 'lever', seed)}, sin cambios de última hora`,
      pasos: whole(3, 40, 'steps', seed),
      coste_eur: decimal(0.02, 1.4, 2, 'cost', seed),
    };
  });
}

function trace(id: string): unknown {
  return {
    run_id: id,
    sucesos: [{ paso: 1, que: 'leer', ms: whole(10, 900, id) }],
    hipotesis: ['La caída viene de un motor'],
    herramientas: ['prompts', 'sources'],
    politica: { aprobacion: 'humana', ensayo: true },
    cambios: [],
  };
}

function state(day: number): unknown {
  return {
    agente: 'activo',
    ultima: {
      resolucion: pick(decisions, 'state', day),
      tomada: at(day, 9.6),
      a_favor: ['Cae la presencia en Gemini', `Quedan ${whole(2, 9, 'left', day)} acciones abiertas`],
      en_contra: ['La muestra es pequeña'],
      seguridad: decimal(0.4, 0.9, 2, 'sure', day),
    },
    por_aprobar: [{ accion: uuid('approve', 1), desde: slashed(at(-2)) }],
    proyectos: [{ nombre: 'Fichas de verano', avance: 0.4 }],
    aprendizaje: Object.fromEntries(levers.map((lever) => [lever, decimal(0, 1, 2, 'learn', lever)])),
    autonomia: { nivel: 2, tope_diario: 3 },
    proxima: at(day + 1, 9.5),
  };
}

const conditions = Array.from({ length: 16 }, (_, index) => ({
  num: index + 1,
  rotulo: `${pick(['caída', 'subida', 'entrada', 'salida'], 'condition', index)} de ${pick(['presencia', 'índice', 'cuota', 'citas'], 'of', index)} ${index + 1}`,
  umbral: whole(2, 20, 'limit', index),
  encendido: index % 5 === 0 ? 'no' : 'sí',
}));

function fired(day: number): unknown[] {
  return days(day, 40)
    .filter(({ seed }) => chance('fires', seed) < 0.6)
    .map(({ owner, date, seed }) => {
      const condition = conditions[whole(0, 15, 'which', seed)];
      const before = decimal(20, 80, 1, 'before', seed);
      return {
        id_salto: longNumber('fired', seed),
        de: owner.name,
        salto: slashedTime(at(date, 6 + chance('fired-at', seed) * 14)),
        disparador: condition?.rotulo,
        num_disparador: condition?.num,
        val_previo: before,
        val_nuevo: round(before + decimal(-12, 12, 1, 'after', seed)),
        que_se_hizo: pick(['se abrió una acción', 'se avisó por correo', 'nada'], 'done', seed),
        avisados: whole(0, 4, 'told', seed),
        correo_ok: 1,
      };
    });
}

export const agent: Theme = {
  routes: {
    'agent/memory': ({ day }) => ({ entradas: memory(day), aciertos: 0.58 }),
    'agent/os': ({ day }) => state(day),
    'agent/runs': ({ query, day }) => {
      const id = query.get('id');
      return id === null ? { runs: runs(day), leido: seconds(at(day, 12)) } : trace(id);
    },
    triggers: ({ day }) => ({ registros: fired(day), disparadores: conditions }),
  },
  truth: {
    'agent_memory.client': is('para'),
    'agent_memory.id': is('num_entrada'),
    'agent_memory.date': is('fec | dmy'),
    'agent_memory.decision': is('resolucion'),
    'agent_memory.lever': is('palanca'),
    'agent_memory.expected_points': is('pts_previstos'),
    'agent_memory.observed_points': is('pts_vistos'),
    'agent_memory.verdict': is('dictamen'),
    'agent_state.status': is('agente'),
    'agent_state.decision': is('ultima.resolucion'),
    'agent_state.date': is('ultima.tomada'),
    'agent_state.why': listed('ultima.a_favor'),
    'agent_state.why_not': listed('ultima.en_contra'),
    // By its slug: no other route knows it so, but the list of clients.
    'agent_runs.client': unsure('cuenta'),
    'agent_runs.id': is('run_id'),
    'agent_runs.started_at': is('empezo'),
    'agent_runs.finished_at': is('acabo'),
    'agent_runs.status': is('estado'),
    'agent_runs.decision': is('decision'),
    'agent_runs.summary': is('sintesis'),
    'triggers.id': is('id_salto'),
    'triggers.fired_at': is('salto | dmy'),
    'triggers.date': is('salto | dmy'),
    'triggers.name': is('disparador'),
    'triggers.before': is('val_previo'),
    'triggers.after': is('val_nuevo'),
    'triggers.done': is('que_se_hizo'),
  },
};
