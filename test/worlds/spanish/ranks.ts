// The AI Rank of a day, its history over all clients, and the archive of measurements.
import { chance, pick, whole } from '../english/kit.ts';
import { comma, round } from '../kit.ts';
import {
  at,
  checksum,
  dashed,
  is,
  isoTime,
  listed,
  longNumber,
  seconds,
  slashed,
  some,
  spoken,
  type Theme,
  uuid,
  withComma,
} from './kit.ts';
import { dimensionsOf, engines, type Owner, owners, scoreOf } from './owners.ts';

const reasons = [
  'Cambio de panel de preguntas',
  'Faltan respuestas de un motor',
  'Lanzada a mano',
  'Muestra incompleta',
] as const;

const methodOn = (day: number) => (day < -90 ? 'v1' : 'v2');

/** Comparable or not, and why not. */
function verdict(owner: Owner, day: number): { fits: boolean; why: string[]; byHand: boolean } {
  const byHand = chance('hand', owner.slug, day) < 0.07;
  // The newest client has a short panel still.
  const isShort = owner.slug === 'optica-levante' && day >= -50;
  const fits = !byHand && !isShort && chance('fits', owner.slug, day) > 0.12;
  const why = fits
    ? []
    : [byHand ? reasons[2] : isShort ? reasons[3] : pick(reasons, 'why', owner.slug, day)];
  return { fits, why, byHand };
}

export function measurementId(owner: Owner, day: number): string {
  return longNumber('measurement', owner.slug, day);
}

function now(owner: Owner, day: number): unknown {
  const { fits, why } = verdict(owner, day);
  return {
    identificador: uuid('rank', owner.slug, day),
    cliente: owner.id === null ? null : { id: owner.id, nombre: owner.name },
    resultado: {
      indice: { valor: scoreOf(owner, day), minimo: 0, maximo: 100 },
      indice_experimental: { valor: round(scoreOf(owner, day) + 3.4), estado: 'beta' },
      metodo: methodOn(day),
      componentes: dimensionsOf(owner, day),
      base: { marcas: 84, respuestas: 132 },
    },
    comparabilidad: { apto: fits ? 'sí' : 'no', motivos: why },
    fec_medicion: slashed(at(day)),
    fin_medicion: seconds(at(day, 7.4)),
    version_software: '4.18.2',
    huella: checksum('rank', owner.slug, day),
  };
}

function history(day: number): unknown {
  const days = [...Array.from({ length: 30 }, (_, week) => week * 7 - 210), 0, 1, 2, 3, 4, 5, 6, 7, 8];
  const historico = days
    .filter((date) => date <= day)
    .flatMap((date) =>
      owners.map((owner) => {
        const { fits } = verdict(owner, date);
        const dimensions = Object.entries(dimensionsOf(owner, date));
        return {
          ref: uuid('point', owner.slug, date),
          ref_empresa: owner.id,
          fec: spoken(at(date)),
          nota: comma(scoreOf(owner, date), 1),
          nota_suavizada: comma(scoreOf(owner, date - 1) / 2 + scoreOf(owner, date) / 2, 2),
          version: methodOn(date),
          en_tendencia: fits ? 1 : 0,
          ranking: { pos: whole(1, 40, 'place', owner.slug, date), de: date < -100 ? 79 : 84 },
          desglose: dimensions.map(([dim, pts]) => ({ dim, pts })),
          num_pruebas: whole(1, 3, 'tries', owner.slug, date),
        };
      }),
    );
  return { escala: 100, metodo_oficial: 'v2', historico };
}

function archive(day: number): unknown {
  const resultados = Array.from({ length: 40 + day }, (_, back) => day - back).flatMap((date) =>
    owners.map((owner) => {
      const { fits, byHand } = verdict(owner, date);
      const running = date === day && owner.slug === 'cafe-quetzal';
      const start = at(date, 6 + chance('start', owner.slug, date));
      const took = whole(41_000, 412_000, 'took', owner.slug, date);
      return {
        num_medicion: measurementId(owner, date),
        lote: 3_100 + date,
        marca: owner.name,
        dia: dashed(start),
        arranque: seconds(start),
        tardanza_ms: running ? null : took,
        fase: running ? 'en curso' : 'terminada',
        metodologia: methodOn(date),
        ind_visib: running ? null : scoreOf(owner, date),
        ind_provisional: round(scoreOf(owner, date) - 1.2),
        vale_tendencia: running ? null : fits ? 'sí' : 'no',
        origen: byHand ? 'puntual' : 'programada',
        n_resp: running ? 0 : whole(96, 150, 'answers', owner.slug, date),
        n_fallos: whole(0, 4, 'faults', owner.slug, date),
        motores: some(engines, 0.85, 'engines', owner.slug, date).map(({ key, model }) => ({
          motor: key,
          version: model,
        })),
        equipo: `nodo-${whole(1, 6, 'node', owner.slug, date)}`,
      };
    }),
  );
  return { actualizado: isoTime(at(day, 8)), resultados };
}

function flat(day: number): string {
  const { historico } = history(day) as { historico: Record<string, unknown>[] };
  const columns = ['ref', 'ref_empresa', 'fec', 'nota', 'version', 'en_tendencia'];
  const rows = historico.map((point) => columns.map((name) => point[name] ?? '').join(';'));
  return `${[columns.join(';'), ...rows].join('\r\n')}\r\n`;
}

export const ranks: Theme = {
  routes: {
    airank: ({ firm: owner, day }) => now(owner, day),
    'airank/history': ({ query, day }) => (query.get('format') === 'csv' ? flat(day) : history(day)),
    mediciones: ({ day }) => archive(day),
    rank2: ({ firm: owner, day }) => ({
      version: 'v2',
      calculado: spoken(at(day)),
      puntos: scoreOf(owner, day),
      desglose: dimensionsOf(owner, day),
      titular: owner.slug,
    }),
  },
  truth: {
    'rank_now.client': is('cliente.id'),
    'rank_now.id': is('identificador'),
    'rank_now.date': is('fec_medicion | dmy', 'fin_medicion'),
    'rank_now.measured_at': is('fin_medicion'),
    'rank_now.method': is('resultado.metodo'),
    'rank_now.score': is('resultado.indice.valor'),
    'rank_now.comparable': is('comparabilidad.apto'),
    'rank_now.reasons': listed('comparabilidad.motivos'),
    'rank_now.dimensions': is('resultado.componentes'),
    'rank_now.name': is('cliente.nombre'),
    'rank2.date': is('calculado'),
    'rank2.score': is('puntos'),
    'rank_history.client': is('ref_empresa'),
    'rank_history.id': is('ref'),
    'rank_history.date': is('fec'),
    'rank_history.method': is('version'),
    'rank_history.score': withComma('nota'),
    'rank_history.comparable': is('en_tendencia'),
    'rank_history.position': is('ranking.pos'),
    'rank_history.dimensions': is('desglose'),
    'measurements.id': is('num_medicion'),
    'measurements.date': is('dia | dmy', 'arranque'),
    'measurements.measured_at': is('arranque'),
    'measurements.method': is('metodologia'),
    'measurements.score': is('ind_visib'),
    'measurements.comparable': is('vale_tendencia'),
    'measurements.kind': is('origen'),
    'measurements.status': is('fase'),
    'measurements.answers': is('n_resp'),
    'measurements.duration_ms': is('tardanza_ms'),
    'measurements.engines': listed('motores', 'motor'),
  },
};
