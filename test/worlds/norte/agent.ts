// The agent: what it decided, how it is, its runs, what fired, and questions to one's own data.
import { decimal, hex, isLikely, pick, some, whole } from '../english/kit.ts';
import { comma, range } from '../kit.ts';
import { at, dated, dayFirst, decimalText, list } from '../places.ts';
import type { Routes, Truth } from '../world.ts';
import { type Firm, firms } from './firms.ts';
import { money, on } from './kit.ts';

const decisions = ['ACT', 'REQUIRE_APPROVAL', 'WAIT', 'INVESTIGATE_MORE', 'NO_ACTION'];
const reasons = ['la presencia baja dos semanas seguidas', 'hay hueco frente a un rival', 'el coste es bajo'];
const triggers = [
  'caida_rank',
  'rival_sube',
  'cita_perdida',
  'bot_bloqueado',
  'precio_erroneo',
  'dato_falso',
];

const runId = (offset: number) => `run_${hex(10, 'run', offset)}`;

const runOn = (offset: number) => {
  const firm = pick(firms, 'run', offset);
  const decision = pick(decisions, 'run', offset);
  const isFailed = isLikely(0.08, 'failed', offset);
  return {
    run_id: runId(offset),
    cl_id: firm.id,
    inicio: on(offset, -90).seconds,
    fin: on(offset, -90 + whole(2, 40, offset)).seconds,
    siguiente: on(offset + 1, -90).seconds,
    estado: isFailed ? 'error' : 'completada',
    decision: isFailed ? null : decision,
    resumen: `Revisadas ${whole(8, 40, offset, 'seen')} señales de ${firm.name}.`,
    n_pasos: whole(4, 22, offset, 'steps'),
    coste: money(decimal(0.05, 1.9, 2, offset, 'cost')),
    ver_agente: '0.14.2',
  };
};

export const agentRoutes: Routes<Firm> = {
  'agent/memory': ({ day }) => ({
    entradas: range(-55, day).map((offset) => {
      const firm = pick(firms, 'memory', offset);
      const expected = decimal(-1, 5, 1, 'expected', offset);
      const isRead = offset + 14 <= day;
      return {
        mem_id: 6100 + offset,
        cl_id: firm.id,
        f_decision: on(offset).dmy,
        tx_decision: pick(decisions, 'memory', offset),
        dir_esperada: expected > 0 ? 'sube' : 'baja',
        pts_esperados: comma(expected),
        pts_observados: isRead ? comma(decimal(-3, 6, 1, 'observed', offset)) : null,
        tx_veredicto: isRead ? pick(['acierto', 'fallo', 'no concluyente'], offset) : null,
        n_evidencias: whole(1, 9, 'evidence', offset),
      };
    }),
  }),
  'agent/os': ({ day }) => ({
    objeto: 'agente',
    estado: 'activo',
    ultima_decision: {
      decision: pick(decisions, 'run', day),
      tomada_el: on(day, -70).iso,
      por_que: some(reasons, 0.6, day),
    },
    aprobaciones_pendientes: whole(0, 4, 'pending', day),
    autonomia: { nivel: 2, maximo_diario: 3, es_activa: true },
    proyectos: [{ id: 12, nombre: 'Reseñas de primavera', abierto_el: on(-20).day }],
  }),
  'agent/runs': ({ day, query }) => {
    const id = query.get('id');
    if (id === null) return { runs: range(-69, day).map(runOn) };
    const offset = range(-69, day).find((one) => runId(one) === id);
    if (offset === undefined) return undefined;
    return { ...runOn(offset), eventos: [{ paso: 1, tipo: 'lectura' }], hipotesis: some(reasons, 0.5, id) };
  },
  triggers: ({ day }) => ({
    disparadores: triggers.map((codigo, row) => ({ codigo, es_activo: row !== 4, umbral: 5 + row })),
    registros: range(-64, day)
      .filter((offset) => isLikely(0.8, 'fired', offset))
      .map((offset) => {
        const before = decimal(20, 70, 1, 'before', offset);
        const name = pick(triggers, 'fired', offset);
        return {
          reg_id: 2200 + offset,
          cl_id: pick(firms, 'fired', offset).id,
          f_disparo: on(offset, whole(-300, 500, 'fired', offset)).slashed,
          disparador: name,
          v_antes: before,
          v_despues: Math.max(0, Number((before - decimal(5, 15, 1, 'after', offset)).toFixed(1))),
          tx_hecho: pick(['aviso por correo', 'tarea creada', 'nada'], 'fired', offset),
          es_silenciado: 'N',
        };
      }),
  }),
  ask: ({ day, query }) => ({
    pregunta: query.get('pregunta') ?? '',
    respuesta: `El cliente que más sube esta semana es ${pick(firms, 'ask', day).name}.`,
    basado_en: ['airank/history', 'clientes'],
  }),
};

export const agentTruth: Truth = {
  'agent_memory.client': at('cl_id'),
  'agent_memory.id': at('mem_id'),
  'agent_memory.date': dayFirst('f_decision'),
  'agent_memory.decision': at('tx_decision'),
  'agent_memory.expected_direction': at('dir_esperada'),
  'agent_memory.expected_points': decimalText('pts_esperados'),
  'agent_memory.observed_points': decimalText('pts_observados'),
  'agent_memory.verdict': at('tx_veredicto'),
  'agent_state.status': at('estado'),
  'agent_state.decision': at('ultima_decision.decision'),
  'agent_state.date': at('ultima_decision.tomada_el'),
  'agent_state.why': list('ultima_decision.por_que'),
  'agent_runs.client': at('cl_id'),
  'agent_runs.id': at('run_id'),
  'agent_runs.started_at': at('inicio'),
  'agent_runs.finished_at': at('fin'),
  'agent_runs.status': at('estado'),
  'agent_runs.decision': at('decision'),
  'agent_runs.summary': at('resumen'),
  'triggers.client': at('cl_id'),
  'triggers.id': at('reg_id'),
  'triggers.fired_at': dated('f_disparo'),
  'triggers.date': dated('f_disparo'),
  'triggers.name': at('disparador'),
  'triggers.before': at('v_antes'),
  'triggers.after': at('v_despues'),
  'triggers.done': at('tx_hecho'),
};
