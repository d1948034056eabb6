// The autonomous agent: triggers, memory, state and runs.
import { decimal, type JsonObject, type Records } from '../json-literal.ts';
import { hashOf } from '../random.ts';
import { list, type Route, single } from '../route.ts';
import { rankScore } from './figures.ts';
import { type ArchiveOptions, archive, archiveLength, type Entry, entryOf } from './listing.ts';
import { clientOf, dateOf, instantOf, type Scope } from './scope.ts';

/** Decision values in the reference. */
const decisions = ['ACT', 'REQUIRE_APPROVAL', 'WAIT', 'INVESTIGATE_MORE', 'NO_ACTION'] as const;

const triggerNames = [
  'caida_ai_rank',
  'subida_ai_rank',
  'rival_adelanta',
  'rival_nuevo',
  'cita_perdida',
  'cita_ganada',
  'afirmacion_falsa',
  'bot_bloqueado',
  'errores_rastreo',
  'precio_erroneo',
  'producto_sin_presencia',
  'hueco_nuevo',
  'sentimiento_negativo',
  'motor_sin_datos',
  'demanda_en_alza',
  'ingresos_en_baja',
] as const;

/** `triggers`: the log of triggers that fired. */
function triggerLog(scope: Scope): Records {
  const perDay = (scope.brands.length / 9) * scope.scale;
  return archive(scope, { name: 'disparadores', perDay }, ({ number, brand, fixed, day, epochMs }) => {
    const picked = fixed.pick(triggerNames);
    const ofRank = picked === 'caida_ai_rank' || picked === 'subida_ai_rank';
    const before = ofRank ? rankScore(scope, brand, 'v2', day - 7) : fixed.fraction() * 80;
    const after = ofRank ? rankScore(scope, brand, 'v2', day) : fixed.fraction() * 80;
    const name = !ofRank ? picked : after < before ? 'caida_ai_rank' : 'subida_ai_rank';
    return {
      id: 7000 + number,
      disparador: name,
      cliente: clientOf(brand),
      fecha: instantOf(epochMs),
      datos: {
        antes: decimal(before, 1),
        despues: decimal(after, 1),
        umbral: fixed.int(2, 10),
      },
      hecho: fixed.pick(['aviso', 'ejecucion_del_agente', 'nada', 'accion_propuesta']),
    };
  });
}

/** `agent/memory`: an observation is added some three weeks later, so an old entry changes once. */
function agentMemory(scope: Scope): Records {
  const perDay = (scope.brands.length / 12) * scope.scale;
  return archive(scope, { name: 'memoria', perDay }, ({ number, brand, fixed, day, age }) => {
    const observedAfter = fixed.int(18, 26);
    const observed = age >= observedAfter;
    const direction = fixed.pick(['sube', 'igual']);
    const moved = rankScore(scope, brand, 'v2', day + observedAfter) - rankScore(scope, brand, 'v2', day);
    const seen = moved > 1 ? 'sube' : moved < -1 ? 'baja' : 'igual';
    return {
      id: `mem-${number + 1}`,
      cliente: clientOf(brand),
      fecha: dateOf(day),
      decision: fixed.pick(decisions),
      palanca: fixed.pick(['contenido', 'resenas', 'tecnica', 'fuentes']),
      esperado: { direccion: direction, puntos: decimal(fixed.fraction() * 4, 1) },
      observado: observed ? { fecha: dateOf(day + observedAfter), puntos: decimal(moved, 1) } : null,
      veredicto: !observed
        ? null
        : seen === direction
          ? 'acierta_direccion'
          : seen === 'igual'
            ? 'sin_senal'
            : 'falla_direccion',
    };
  });
}

/** `agent/os`: on some days it has no data, and says so. */
function agentState(scope: Scope): JsonObject {
  if (hashOf(scope.seed, 'sin datos', scope.today) % 23 === 0) return { estado: 'unavailable' };
  const options = runArchive(scope);
  const last = entryOf(scope, options, Math.max(0, archiveLength(scope, options) - 1));
  const head = runHead(last);
  return {
    estado: 'activo',
    ultimaDecision: { run_id: runId(last.number), decision: head.decision, fecha: dateOf(last.day) },
    porque: ['La caída dura más de siete días', 'La evidencia viene de dos motores'],
    porqueNo: head.decision === 'ACT' ? [] : ['Falta una segunda medición comparable'],
  };
}

function runArchive(scope: Scope): ArchiveOptions {
  return { name: 'ejecuciones', perDay: Math.max(0.6, (scope.brands.length / 10) * scope.scale) };
}

const runStates = ['completada', 'completada', 'completada', 'en_espera', 'fallida', 'revertida'] as const;

function runId(number: number): string {
  return `run_${String(number + 1).padStart(6, '0')}`;
}

interface RunHead {
  readonly state: string;
  readonly decision: string;
  readonly lever: string;
}

function runHead(entry: Entry): RunHead {
  const decision = entry.fixed.pick(decisions);
  const lever = entry.fixed.pick(['contenido', 'resenas', 'tecnica', 'fuentes']);
  const final = entry.fixed.pick(runStates);
  return { state: entry.age < 1 ? 'en_curso' : final, decision, lever };
}

function agentRuns(scope: Scope): Records {
  return archive(scope, runArchive(scope), (entry) => runRecord(entry));
}

function runRecord(entry: Entry): JsonObject {
  const { state, decision, lever } = runHead(entry);
  return {
    run_id: runId(entry.number),
    cliente: clientOf(entry.brand),
    estado: state,
    decision,
    resumen: `Revisión de ${lever} para ${entry.brand.name}: ${decision === 'ACT' ? 'se actúa' : 'no se actúa todavía'}.`,
    inicio: instantOf(entry.epochMs),
    fin: state === 'en_curso' ? null : instantOf(entry.epochMs + entry.fixed.int(40, 900) * 1000),
  };
}

/** `agent/runs?id=`: the whole trace of one run; undefined if there is none. */
function agentRunTrace(scope: Scope, id: string): JsonObject | undefined {
  const number = /^run_\d{6,}$/.test(id) ? Number(id.slice(4)) - 1 : -1;
  const options = runArchive(scope);
  if (number < 0 || number >= archiveLength(scope, options) || runId(number) !== id) return undefined;
  const entry = entryOf(scope, options, number);
  return {
    ...runRecord(entry),
    eventos: ['inicio', 'evidencia', 'decision', 'fin'].map((tipo, index) => ({
      orden: index + 1,
      tipo,
      fecha: instantOf(entry.epochMs + index * 9000),
    })),
  };
}

export const routes: readonly Route[] = [
  list('triggers', 'registros', triggerLog),
  list('agent/memory', 'entradas', agentMemory),
  single('agent/os', agentState),
  list('agent/runs', 'runs', agentRuns, undefined, { detail: agentRunTrace }),
];
