// Others beside the brand: rivals in camelCase English with alerts in Spanish, perception, and the public index.

import { comma, round } from '../kit.ts';
import type { Routes, Truth } from '../world.ts';
import { agency, type Customer, customers, engines } from './customers.ts';
import { decimal, drifting, hex, isLikely, on, padded, pick, some, upTo, whole } from './kit.ts';
import { rankOn } from './ranks.ts';

const tiers = ['primario', 'primario', 'emergente', 'descubierto'];
const extras = ['Tienda Central', 'Casa Matriz', 'Punto Sur', 'La Económica', 'Grupo Altura'];

const rivalsOf = (customer: Customer): { name: string; domain: string }[] => [
  ...customer.rivals,
  ...some(extras, 0.9, customer.code, 'extra').map((extra) => ({
    name: `${extra} ${customer.city.split(' ')[0]}`,
    domain: `${extra.toLowerCase().replaceAll(/[^a-z]/g, '')}.com`,
  })),
];

const competitors = (day: number): unknown[] =>
  customers.flatMap((customer) =>
    rivalsOf(customer).map(({ name, domain }, index) => {
      const now = drifting(46 - 5 * index, day, name, 'per 100');
      const before = drifting(46 - 5 * index, day - 7, name, 'per 100');
      return {
        competitorName: name,
        rivalKey: `rv_${hex(6, name)}`,
        website: domain,
        tier: tiers[Math.min(index, 3)],
        mentionsPer100: now,
        ownMentionsPer100: rankOn(customer, day),
        weeklyChange: round(now - before),
        trackedSince: on(-whole(30, 400, name, 'tracked')).yearFirst,
        series: upTo(4).map((week) => ({ week: 20 - week, per100: drifting(46, day - 7 * week, name) })),
        account: { code: customer.code, office: customer.country === 'México' ? 'CDMX' : 'BUE' },
      };
    }),
  );

const notices = [
  ['salto de menciones', 'subió más de 8 menciones por cada 100 respuestas'],
  ['nuevo en comparativas', 'aparece por primera vez en preguntas de comparación'],
  ['baja de precio', 'figura en las respuestas con un precio menor'],
] as const;

const alerts = (day: number): unknown[] =>
  upTo(14 + day).map((index) => {
    const customer = pick(customers, 'alert', index);
    const rival = pick(customer.rivals, 'alert', index);
    const [kind, text] = pick(notices, 'notice', index);
    return {
      folio: `AV-${padded(index + 1, 4)}`,
      dia: on(index - 13).dayFirst,
      competidor: rival.name,
      tipo: kind,
      texto: `${rival.name} ${text}.`,
      leido: isLikely(0.5, 'read', index, day) ? 1 : 0,
    };
  });

const traits = [
  'buen precio',
  'atención lenta',
  'calidad artesanal',
  'entrega confiable',
  'poco surtido',
  'moderno',
];

const traitRows = (day: number): unknown[] =>
  customers.flatMap((customer) =>
    [customer.name, ...customer.rivals.map(({ name }) => name)].flatMap((brand) =>
      some(traits, 0.6, brand).map((trait) => {
        const seed = [brand, trait] as const;
        return {
          brandLabel: brand,
          trait,
          isOurs: brand === customer.name ? 1 : 0,
          tone: ['atención lenta', 'poco surtido'].includes(trait) ? 'negativo' : 'positivo',
          mentions: whole(1, 40, ...seed, 'mentions') + whole(0, 3, ...seed, day),
          literalQuote: `«${brand} destaca por ${trait}», según ${pick(engines, ...seed)}`,
          w: decimal(0.35, 0.98, 2, ...seed, 'weight'),
          rowVersion: whole(1, 4, ...seed, 'row'),
        };
      }),
    ),
  );

const said: readonly ((brand: string, good: string) => readonly [string, string])[] = [
  (brand, good) => [`${brand} ofrece ${good} con envío gratis`, `Envío gratis de ${good}`],
  (brand, good) => [`${brand} tiene ${good} todo el año`, `${good}: disponible todo el año`],
  (brand, good) => [`${brand} da garantía de dos años en ${good}`, `Garantía de dos años en ${good}`],
];

const claims = (day: number): unknown[] =>
  upTo(22 + day).map((index) => {
    const customer = pick(customers, 'claim', index);
    const good = pick(customer.goods, 'claim', index);
    const isTrue = isLikely(0.6, 'true', index);
    const [claim, fact] = pick(said, 'said', index)(customer.name, good);
    return {
      ref: `AF-${padded(index + 1, 3)}`,
      afirmacion: claim,
      veredicto: isTrue ? 'correcta' : 'falsa',
      dato_real: isTrue ? fact : `${fact} solo en ${customer.city}`,
      verificada_el: on(index - 22).yearFirst,
      vista_por: some(engines, 0.4, 'claim engine', index),
    };
  });

const cutValues: Readonly<Record<string, (customer: Customer) => string>> = {
  global: () => 'todas',
  sector: ({ trade }) => trade,
  tipo: ({ currency }) => (currency === 'ARS' ? 'en línea' : 'local'),
  país: ({ country }) => country,
};

/** Fewer than 20 comparable brands tell nothing. */
const cuts = (day: number): unknown[] =>
  Object.entries(cutValues).flatMap(([slice, valueFor]) =>
    [agency, ...customers].map((customer) => {
      const value = valueFor(customer);
      const brands = (slice === 'global' ? 212 : whole(9, 90, slice, value)) + day;
      const isEnough = brands >= 20;
      const median = drifting(whole(36, 60, value), day, slice, value);
      return {
        corte: slice,
        valor_corte: value,
        marcas_comparables: brands,
        percentil: isEnough ? Math.round(drifting(whole(15, 90, slice, customer.code), day, slice)) : null,
        indice_propio: comma(rankOn(customer, day)),
        indice_mediana: isEnough ? comma(median) : null,
        indice_lider: isEnough ? comma(drifting(88, day, slice, value, 'best')) : null,
        cuenta: customer.name,
      };
    }),
  );

export const rivalAnswers: Routes<Customer> = {
  competitors: ({ day }) => ({
    competidores: competitors(day),
    avisos: { pendientes: 4 + day, renglones: alerts(day) },
  }),
  perception: ({ day }) => ({
    atributos: traitRows(day),
    verificacion: { corrida: `VF-${300 + day}`, afirmaciones: claims(day) },
  }),
  benchmark: ({ day }) => ({ cortes: cuts(day), minimo_marcas: 20, actualizado: on(day).day }),
};

export const rivalTruth: Truth = {
  'competitors.client': { paths: ['account.code'] },
  'competitors.name': { paths: ['competitorName'] },
  'competitors.class': { paths: ['tier'] },
  'competitors.per_100': { paths: ['mentionsPer100'] },
  'competitors.movement': { paths: ['weeklyChange'] },
  // Its weeks are numbers, and no dates.
  'competitor_series.(rows)': { paths: ['series'] },
  'competitor_series.client': { paths: ['^account.code'] },
  'competitor_series.competitor': { paths: ['^competitorName'] },
  'competitor_series.per_100': { paths: ['per100'] },
  'competitors.domain': { paths: ['website'] },

  'competitor_alerts.(rows)': { paths: ['avisos.renglones'] },
  'competitor_alerts.date': { paths: ['dia | dmy'] },
  'competitor_alerts.competitor': { paths: ['competidor'] },
  'competitor_alerts.kind': { paths: ['tipo'] },
  'competitor_alerts.message': { paths: ['texto'] },

  'perception.brand': { paths: ['brandLabel'] },
  'perception.attribute': { paths: ['trait'] },
  'perception.is_own': { paths: ['isOurs'] },
  'perception.polarity': { paths: ['tone'] },
  'perception.mentions': { paths: ['mentions'] },
  'perception.phrase': { paths: ['literalQuote'] },
  'perception.confidence': { paths: ['w'], isDoubtful: true },

  'claims.(rows)': { paths: ['verificacion.afirmaciones'] },
  'claims.claim': { paths: ['afirmacion'] },
  'claims.verdict': { paths: ['veredicto'] },
  'claims.fact': { paths: ['dato_real'] },
  'claims.checked': { paths: ['verificada_el'] },

  'benchmark.cut': { paths: ['corte'] },
  'benchmark.value': { paths: ['valor_corte'] },
  'benchmark.brands': { paths: ['marcas_comparables'] },
  'benchmark.as_of': { paths: ['^^actualizado'] },
  'benchmark.percentile': { paths: ['percentil'] },
  'benchmark.median': { paths: ['indice_mediana', 'indice_mediana | comma'] },
};
