// Rivals, what engines say of brands, and how the brand stands among others.
import { chance, decimal, isLikely, newestDay, pick, some, whole } from '../english/kit.ts';
import { comma, range, round } from '../kit.ts';
import { at, dated, dayFirst, decimalText, list, percentText } from '../places.ts';
import type { Routes, Truth } from '../world.ts';
import { type Firm, firms } from './firms.ts';
import { on, percent } from './kit.ts';

const attributes = [
  'calidad',
  'precio',
  'atención al cliente',
  'tradición',
  'plazo de entrega',
  'cercanía',
  'variedad',
];

const verbs = { positivo: 'sobresale por', neutro: 'cumple en', negativo: 'flojea en' } as const;

const rows = firms.flatMap((firm, who) =>
  firm.rivals.map((name, row) => ({ id: 700 + who * 10 + row, firm, name })),
);

const per100 = (name: string, offset: number) =>
  round(5 + chance(name) * 40 + Math.sin(offset / 5 + chance(name, 'phase') * 6) * 3);

export const rivalRoutes: Routes<Firm> = {
  competitors: ({ day }) => ({
    f_corte: on(day).dmy,
    competidores: rows.map(({ id, firm, name }) => ({
      comp_id: id,
      cl_id: firm.id,
      comp_nombre: name,
      comp_clase: pick(['primario', 'emergente', 'descubierto'], name),
      n_por_100_resp: comma(per100(name, day)),
      pc_cuota_voz: percent(per100(name, day) / 2.3),
      temas: some(firm.things, 0.5, name),
      rank_ia_rival: whole(30, 75, name, 'rank', newestDay(day, 0.5, name)),
      serie: range(-3, 0).map((week) => per100(name, day + week * 7)),
      es_seguido: 'S',
    })),
    avisos: rows
      .filter(({ id }) => isLikely(0.5, id, 'alert', Math.floor(day / 2)))
      .map(({ id, firm, name }) => ({
        cl_id: firm.id,
        f_aviso: on(Math.floor(day / 2) * 2 - whole(0, 20, id, 'since')).dmy,
        competidor: name,
        tx_mensaje: `${name} cambia ${comma(decimal(2, 9, 1, id))} puntos frente a ${firm.name}.`,
        es_leido: isLikely(0.5, id, 'read') ? 'S' : 'N',
      })),
  }),
  perception: ({ day }) => ({
    atributos: firms.flatMap((firm, who) =>
      [firm.name, ...firm.rivals].flatMap((brand, column) =>
        some(attributes, 0.7, brand).map((attribute) => {
          const tone = pick(['positivo', 'neutro', 'negativo'] as const, brand, attribute);
          return {
            atr_id: (who + 1) * 1000 + column * 100 + attributes.indexOf(attribute),
            cliente: { id: firm.id, nombre_comercial: firm.name },
            marca: brand,
            atributo: attribute,
            es_propio: column === 0,
            tono: tone,
            menciones: whole(1, 40, brand, attribute, newestDay(day, 0.4, brand)),
            frase_literal: `«${brand} ${verbs[tone]} ${attribute}», dice una de las respuestas.`,
          };
        }),
      ),
    ),
    afirmaciones: firms.flatMap((firm) =>
      range(1, 5).map((row) => ({
        id_cliente: firm.id,
        afirmacion: `${firm.name} abrió en ${whole(1920, 2015, firm.name, row)} en ${firm.city}.`,
        veredicto: pick(['correcta', 'incorrecta', 'sin verificar'], firm.name, row),
        comprobada_el: on(-whole(0, 25, firm.name, row, 'checked')).spelled,
        veces_vista: whole(1, 9, firm.name, row, day),
      })),
    ),
  }),
  benchmark: ({ day }) => ({
    n_minimo_marcas: 20,
    cortes: firms.flatMap((firm) =>
      [
        { cut: 'global', value: 'todas', count: 1840 },
        { cut: 'sector', value: firm.sector, count: whole(12, 90, firm.sector) },
        { cut: 'tipo', value: 'pyme', count: whole(120, 390, firm.name) },
        { cut: 'país', value: 'ES', count: 640 },
      ].map(({ cut, value, count }, row) => {
        const isEnough = count >= 20;
        const median = decimal(44, 56, 1, cut, value, newestDay(day, 0.5, cut));
        return {
          corte_id: (firm.id ?? 0) * 10 + row,
          cl_id: firm.id,
          tx_corte: cut,
          tx_valor: value,
          n_marcas: count + Math.floor(day / 2),
          percentil: isEnough ? whole(20, 95, firm.name, cut, newestDay(day, 0.5, cut)) : null,
          mediana: isEnough ? median : null,
          media: isEnough ? round(median + 1.3) : null,
          p90: isEnough ? round(median + 24) : null,
        };
      }),
    ),
  }),
};

export const rivalTruth: Truth = {
  'competitors.client': at('cl_id'),
  'competitors.name': at('comp_nombre'),
  'competitors.class': at('comp_clase'),
  'competitors.per_100': decimalText('n_por_100_resp'),
  'competitors.topics': list('temas'),
  'competitors.share': percentText('pc_cuota_voz'),
  'competitors.as_of': at('^^f_corte | dmy'),
  'competitor_alerts.(rows)': at('avisos'),
  'competitor_alerts.client': at('cl_id'),
  'competitor_alerts.date': dayFirst('f_aviso'),
  'competitor_alerts.competitor': at('competidor'),
  'competitor_alerts.message': at('tx_mensaje'),
  'perception.client': at('cliente.id'),
  'perception.brand': at('marca'),
  'perception.attribute': at('atributo'),
  'perception.is_own': at('es_propio'),
  'perception.polarity': at('tono'),
  'perception.mentions': at('menciones'),
  'perception.phrase': at('frase_literal'),
  'claims.(rows)': at('afirmaciones'),
  'claims.client': at('id_cliente'),
  'claims.claim': at('afirmacion'),
  'claims.verdict': at('veredicto'),
  'claims.checked': dated('comprobada_el'),
  'benchmark.client': at('cl_id'),
  'benchmark.cut': at('tx_corte'),
  'benchmark.value': at('tx_valor'),
  'benchmark.brands': at('n_marcas'),
  'benchmark.percentile': at('percentil'),
  'benchmark.median': at('mediana'),
};
