// The official AI Rank by method, its points, and what is predicted.
import { chance, decimal, whole } from '../english/kit.ts';
import { round } from '../kit.ts';
import {
  at,
  checksum,
  dashed,
  is,
  isoDate,
  isoTime,
  listed,
  madridTime,
  seconds,
  slashed,
  slashedTime,
  type Theme,
  uuid,
  within,
} from './kit.ts';
import { dimensionsOf, type Owner, scoreOf } from './owners.ts';

/** One client is still measured by the old method. */
const officialOf = (owner: Owner) => (owner.slug === 'tresvinas' ? 'v1' : 'v2');
/** The old method runs on Mondays only. */
const mondayBefore = (day: number) => day - (((day % 7) + 7) % 7);
const oldScore = (owner: Owner, day: number) => round(within(1, 99, scoreOf(owner, day) - 5.3));

function official(owner: Owner, day: number): unknown {
  const method = officialOf(owner);
  const fits = owner.slug !== 'optica-levante' && chance('official', owner.slug, day) > 0.2;
  const old = {
    puntos: oldScore(owner, mondayBefore(day)),
    fec_ref: dashed(at(mondayBefore(day))),
    homologable: method === 'v1' ? 1 : 0,
  };
  const current = { puntos: scoreOf(owner, day), fec_ref: dashed(at(day)), homologable: fits ? 1 : 0 };
  return {
    titular: { clave: owner.id, denominacion: owner.name },
    oficial: {
      metodologia: method,
      ...(method === 'v1' ? old : current),
      motivos: method === 'v1' || fits ? [] : ['Panel ampliado', 'Menos de 90 respuestas'],
    },
    metodos: { v1: old, v2: current },
    pilares: Object.entries(dimensionsOf(owner, day)).map(([pilar, valor]) => ({ pilar, valor, peso: 0.25 })),
    indice_beta: { puntos: round(scoreOf(owner, day) * 0.93), aviso: 'No usar en informes' },
    calculado_en: madridTime(at(day)),
    caduca: isoTime(at(day + 1)),
    huella: checksum('official', owner.slug, day),
  };
}

function points(owner: Owner, day: number): unknown {
  const days = Array.from({ length: 70 + day }, (_, index) => index - 69);
  return {
    titular: owner.name,
    metodo_oficial: officialOf(owner),
    medido_hasta: slashed(at(day)),
    puntos: days.map((date) => {
      const fits = chance('point', owner.slug, date) > 0.1;
      return {
        corte: at(date),
        met: date < -40 || officialOf(owner) === 'v1' ? 'v1' : 'v2',
        pts: scoreOf(owner, date),
        pts_sector: decimal(44, 52, 1, 'sector', owner.sector, date),
        computable: fits ? 'sí' : 'no',
        pilares: dimensionsOf(owner, date),
        n: whole(96, 150, 'n', owner.slug, date),
      };
    }),
  };
}

function forecast(owner: Owner, day: number): unknown {
  const made = mondayBefore(day);
  const days = Array.from({ length: 28 }, (_, index) => {
    const ahead = index + 1;
    const expected = round(scoreOf(owner, made) + ahead * 0.06);
    const band = round(1.5 + ahead * 0.2);
    return [
      isoDate(at(made + ahead)),
      {
        esperado: expected,
        banda: [round(expected - band), round(expected + band)],
        dias_vista: ahead,
        rumbo: chance('way', made, ahead) < 0.7 ? 'al alza' : 'estable',
      },
    ];
  });
  return {
    ambito: 'cuenta',
    elaborado: slashedTime(at(made, 5.5)),
    modelo: { nombre: 'suavizado exponencial', version: '2.3', semilla: 20_260_518 },
    error_medio: 1.84,
    proyeccion: Object.fromEntries(days),
  };
}

export const visibility: Theme = {
  routes: {
    visibility: ({ firm: owner, day }) => official(owner, day),
    'visibility/history': ({ firm: owner, day }) => points(owner, day),
    prediccion: ({ firm: owner, day }) => forecast(owner, day),
    'airank/publico-2026': ({ firm: owner, day }) => ({
      identificador: 'publico-2026',
      ref: uuid('public', owner.slug),
      marca: owner.name,
      indice: scoreOf(owner, day),
      publicado: seconds(at(-30)),
    }),
  },
  truth: {
    'visibility_now.client': is('titular.clave'),
    'visibility_now.name': is('titular.denominacion'),
    'visibility_now.date': is('oficial.fec_ref | dmy'),
    'visibility_now.measured_at': is('calculado_en'),
    'visibility_now.method': is('oficial.metodologia'),
    'visibility_now.score': is('oficial.puntos'),
    'visibility_now.comparable': is('oficial.homologable'),
    'visibility_now.reasons': listed('oficial.motivos'),
    'visibility_now.dimensions': is('pilares'),
    'visibility_now.v1_score': is('metodos.v1.puntos'),
    'visibility_now.v1_date': is('metodos.v1.fec_ref | dmy'),
    'visibility_now.v1_comparable': is('metodos.v1.homologable'),
    'visibility_now.v2_score': is('metodos.v2.puntos'),
    'visibility_now.v2_date': is('metodos.v2.fec_ref | dmy'),
    'visibility_now.v2_comparable': is('metodos.v2.homologable'),
    'visibility_history.date': is('corte'),
    'visibility_history.measured_at': is('corte'),
    'visibility_history.method': is('met'),
    'visibility_history.score': is('pts'),
    'visibility_history.comparable': is('computable'),
    'visibility_history.dimensions': is('pilares'),
    'predictions.(rows)': is('proyeccion.*'),
    'predictions.date': is('@key'),
    'predictions.score': is('esperado'),
    'predictions.lower': is('banda[0]', 'banda[] | first'),
    'predictions.upper': is('banda[1]', 'banda[-1]', 'banda[] | last'),
    'predictions.made': is('^elaborado | dmy'),
    'predictions.method': is('^modelo.nombre'),
    'predictions.horizon_days': is('dias_vista'),
    'predictions.trend': is('rumbo'),
  },
};
