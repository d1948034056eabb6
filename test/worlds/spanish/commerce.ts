// Catalogue, shops, revenue, benchmark and visits of bots.
import { chance, decimal, pick, whole } from '../english/kit.ts';
import { comma, round } from '../kit.ts';
import {
  at,
  is,
  isoTime,
  longNumber,
  moved,
  seconds,
  slashed,
  slashedTime,
  type Theme,
  unsure,
  withComma,
  within,
} from './kit.ts';
import { engines, type Owner, owners } from './owners.ts';

function catalogue(owner: Owner, day: number): unknown[] {
  return Array.from({ length: owner.products + (owner.products > 50 ? day * 2 : 0) }, (_, index) => {
    const seed = `${owner.slug}-${index}`;
    const price = decimal(2, 1_900, 2, 'price', seed) / (owner.slug === 'clinica-sonria' ? 1 : 4);
    const isPriced = chance('priced', seed) < 0.6;
    const changed = at(-whole(0, 160, 'changed', seed), 8 + chance('hour', seed) * 8);
    return {
      num_articulo: longNumber('product', seed),
      ean: `84${whole(1e10, 9e10, 'ean', seed)}`,
      referencia: `${owner.slug.slice(0, 3).toUpperCase()}-${String(index + 1).padStart(4, '0')}`,
      denominacion: `${pick(owner.goods, 'good', seed)} ${pick(['clásico', 'premium', 'eco'], seed)} ${index + 1}`,
      ficha: `https://${owner.site}/tienda/${index + 1}`,
      pvp: { importe: round(price, 2), divisa: owner.currency },
      coste: { importe: round(price * 0.58, 2), divisa: owner.currency },
      precio_ia: isPriced
        ? `${comma(price * decimal(0.9, 1.1, 2, 'said', seed), 2)} ${owner.currency === 'EUR' ? '€' : 'MXN'}`
        : null,
      aparece: round(within(0, 1, chance('shows', seed) * 0.7 + moved(day, 0.1, seed)), 3),
      recomendado: `${comma(chance('wins', seed) * 45, 1)} %`,
      existencias: Math.max(0, whole(0, 240, 'stock', seed) + Math.round(moved(day, 20, 'stock', seed))),
      // Two times of a change, and nothing tells whose.
      actualizado: isoTime(changed),
      modificado: isoTime(changed + whole(1, 700, 'later', seed) * 3_600_000),
    };
  });
}

const shops = ['Amazon', 'El Corte Inglés', 'Miravia', 'Glovo', 'Mercado Libre', 'Tienda propia'] as const;

function merchants(day: number): unknown[] {
  const links = Array.from({ length: 70 }, (_, index) =>
    Math.round(
      whole(1, index < shops.length ? 1_400 : 90, 'links', index) +
        Math.max(0, moved(day, 9, 'links', index)),
    ),
  );
  const total = links.reduce((sum, count) => sum + count, 0);
  return links.map((count, index) => ({
    comercio: shops[index] ?? `${pick(['Tienda', 'Bazar', 'Casa'], 'shop', index)} ${index}`,
    enl: count,
    cuota: round((count / total) * 100, 2),
    fiable: decimal(1, 5, 1, 'stars', index),
    nota_interna: index === 3 ? 'Contrato de afiliación' : null,
  }));
}

function channels(day: number): unknown[] {
  return owners.flatMap((owner) =>
    engines.flatMap(({ name }) =>
      ['escritorio', 'móvil'].map((device) => {
        const seed = `${owner.slug}-${name}-${device}`;
        const orders = whole(0, 120, 'orders', seed) + day * whole(0, 2, 'more', seed);
        const gross = orders * decimal(14, 88, 2, 'ticket', seed);
        return {
          id_cli: owner.id,
          via: name,
          dispositivo: device,
          cobros: { bruto: `${comma(gross, 2)}`, neto: `${comma(gross / 1.21, 2)}`, mon: owner.currency },
          pedidos: orders,
          visitas: orders * whole(9, 40, 'visits', seed) + 3,
          rebote: `${comma(decimal(20, 70, 1, 'bounce', seed), 1)} %`,
          periodo: 28,
        };
      }),
    ),
  );
}

function cuts(day: number): unknown[] {
  return owners.flatMap((owner) =>
    [
      ['global', 'todas', 1_840],
      ['sector', owner.sector, 96],
      ['tipo', owner.products > 0 ? 'tienda' : 'servicio', 410],
      ['pais', owner.country, owner.country === 'MX' ? 14 : 730],
    ].map(([axis, value, brands]) => {
      const enough = Number(brands) >= 20;
      const percentile = whole(8, 97, 'percentile', owner.slug, String(axis));
      return {
        sujeto: { codigo: owner.id, tipo: owner.id === null ? 'agencia' : 'marca' },
        corte: axis,
        grupo: value,
        marcas_comp: Number(brands) + day,
        muestra: enough ? 'suficiente' : 'muestra insuficiente',
        centil: enough ? within(1, 99, percentile + Math.round(moved(day, 6, owner.slug))) : null,
        mediana: enough ? decimal(38, 56, 1, 'median', String(axis), String(value)) : null,
        media: enough ? decimal(40, 58, 1, 'mean', String(axis), String(value)) : null,
        desv: enough ? decimal(9, 14, 2, 'deviation', String(axis)) : null,
      };
    }),
  );
}

const bots = [
  'GPTBot',
  'OAI-SearchBot',
  'ClaudeBot',
  'PerplexityBot',
  'Google-Extended',
  'ChatGPT-User',
  'CCBot',
  'Bytespider',
  'Amazonbot',
  'Applebot',
] as const;

function visits(day: number): unknown[] {
  return owners.flatMap((owner) =>
    bots.map((robot) => {
      const seed = `${owner.slug}-${robot}`;
      const errors = chance('errors', seed) * 0.12;
      return {
        robot,
        sitio: owner.site,
        salud: errors > 0.08 ? 'con fallos' : 'correcta',
        peticiones: whole(3, 5_200, 'hits', seed) + day * whole(0, 60, 'hits-day', seed),
        peticiones_robots_txt: whole(1, 40, 'robots', seed),
        tasa_err: round(errors, 4),
        media_ms: whole(80, 1_900, 'ms', seed),
        p95_ms: whole(2_000, 4_900, 'p95', seed),
        ult_visita: slashedTime(at(day - whole(0, 20, 'visit', seed), 4 + chance('visit-hour', seed) * 16)),
        ip_verificada: chance('ip', seed) < 0.9,
      };
    }),
  );
}

export const commerce: Theme = {
  routes: {
    products: ({ firm: owner, day }) => ({
      productos: catalogue(owner, day),
      iva_incluido: 'sí',
      catalogo_leido: seconds(at(day, 3)),
    }),
    shopping: ({ day }) => ({
      merchants: merchants(day),
      preguntas_de_compra: { total: 180, con_tienda: 64, tasa: 0.3556 },
      medido: slashed(at(day)),
    }),
    revenue: ({ day }) => ({
      porCanal: channels(day),
      embudo: { visitas: 18_400, cestas: 2_210, pedidos: 940 },
    }),
    benchmark: ({ day }) => ({ cortes: cuts(day), minimo_marcas: 20, metodo_oficial: 'v2' }),
    crawl: ({ day }) => ({ salud: visits(day), mapa_del_sitio: { urls: 812, con_error: 9 } }),
  },
  truth: {
    'products.id': is('num_articulo'),
    'products.sku': is('referencia'),
    'products.title': is('denominacion'),
    'products.url': is('ficha'),
    'products.price': is('pvp.importe'),
    'products.currency': is('pvp.divisa', 'coste.divisa'),
    'products.ai_price': withComma('precio_ia'),
    'products.presence': is('aparece'),
    'products.win': is('recomendado | comma | percent', 'recomendado | percent'),
    'products.updated': unsure('actualizado', 'modificado'),
    'merchants.merchant': is('comercio'),
    'merchants.links': is('enl'),
    'merchants.share': is('cuota | percent'),
    'merchants.as_of': is('^^medido | dmy'),
    'revenue.client': is('id_cli'),
    'revenue.channel': is('via'),
    'revenue.currency': is('cobros.mon'),
    // With taxes or without: the data does not say which is revenue.
    'revenue.amount': unsure('cobros.bruto | comma', 'cobros.neto | comma', 'cobros.bruto', 'cobros.neto'),
    'revenue.orders': is('pedidos'),
    'revenue.period': is('periodo'),
    'revenue_funnel.sessions': is('embudo.visitas'),
    'revenue_funnel.carts': is('embudo.cestas'),
    'revenue_funnel.orders': is('embudo.pedidos'),
    'revenue.sessions': is('visitas'),
    'benchmark.client': is('sujeto.codigo'),
    'benchmark.cut': is('corte'),
    'benchmark.value': is('grupo'),
    'benchmark.brands': is('marcas_comp'),
    'benchmark.status': is('muestra'),
    'benchmark.percentile': is('centil'),
    'benchmark.median': is('mediana'),
    'crawl.bot': is('robot'),
    'crawl.domain': is('sitio'),
    'crawl.status': is('salud'),
    'crawl.visits': is('peticiones'),
    'site_coverage.urls': is('mapa_del_sitio.urls'),
    'crawl.error': is('tasa_err'),
    'crawl.mean_ms': is('media_ms'),
    'crawl.last_visit': is('ult_visita | dmy'),
  },
};
