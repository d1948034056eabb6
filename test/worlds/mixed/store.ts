// Selling: products with amounts as people write them, merchants in camelCase, revenue in kebab-case.

import { comma } from '../kit.ts';
import type { Routes, Truth } from '../world.ts';
import { agency, type Customer, customers, engines } from './customers.ts';
import { amount, decimal, drifting, isLikely, on, padded, pick, some, upTo, whole, yesNo } from './kit.ts';

const models = ['básico', 'plus', 'premium', 'paquete doble', 'promoción', 'edición 2026'];

function products(customer: Customer, day: number): unknown[] {
  const dollar = customer.currency === 'ARS' ? 60 : 1;
  return customer.goods
    .flatMap((good) => models.map((model) => `${good} ${model}`))
    .map((name, index) => {
      const seed = [customer.code, name] as const;
      const price = dollar * decimal(180, 6400, 2, ...seed, 'price');
      const isMeasured = isLikely(0.75, ...seed, 'measured');
      const since = on(-whole(90, 700, ...seed, 'since'));
      return {
        clave_producto: `9007199254${padded(740_993 + 101 * index + Number(customer.code.slice(-3)), 9)}`,
        sku: `${customer.domain.slice(0, 3).toUpperCase()}-${padded(index + 1, 4)}`,
        nombre_articulo: name,
        precio_lista: amount(price, customer.currency),
        precio_rival_cercano: amount(price * decimal(0.8, 1.2, 2, ...seed, 'rival'), customer.currency),
        precio_segun_ia: isMeasured
          ? amount(price * decimal(0.9, 1.1, 2, ...seed, 'said', Math.floor(day / 2)), customer.currency)
          : null,
        moneda: customer.currency,
        existencias: whole(0, 300, ...seed, 'stock', day),
        medido: yesNo(isMeasured),
        aparece_en: isMeasured ? `${comma(drifting(whole(10, 80, ...seed), day, ...seed))} %` : null,
        tasa_de_triunfo: isMeasured
          ? `${comma(drifting(whole(4, 45, ...seed, 'wins'), day, ...seed))} %`
          : null,
        dado_de_alta: since.yearFirst,
        atributos: { linea: pick(['clásica', 'nueva'], ...seed), meses_sin_intereses: whole(0, 12, ...seed) },
      };
    });
}

const shops = [
  'Mercado Libre',
  'Amazon México',
  'Liverpool',
  'Coppel',
  'Walmart',
  'Frávega',
  'Coto Digital',
  'Tiendanube',
  'Carrefour',
  'Sodimac',
  'Farmacity',
  'Elektra',
];

const merchants = (day: number): unknown[] =>
  customers.flatMap((customer) =>
    [customer.name, ...shops].map((store) => {
      const seed = [customer.code, store] as const;
      const links = whole(1, 60, ...seed, 'links') + whole(0, 4, ...seed, day);
      return {
        storeName: store,
        outboundLinks: links,
        brokenLinks: whole(0, 2, ...seed, 'broken'),
        linkShare: decimal(0.01, 0.21, 3, ...seed, 'share', day),
        landsOn: pick(['ficha de producto', 'categoría', 'portada', 'búsqueda interna'], ...seed, 'lands'),
        shelfRank: whole(1, 12, ...seed, 'shelf'),
        forBrand: customer.name,
      };
    }),
  );

const revenue = (day: number): unknown[] =>
  customers.flatMap((customer) =>
    [...engines, 'Google AI Overviews'].flatMap((channel) =>
      some([customer.currency, 'USD'], 0.75, customer.code, channel).map((currency) => {
        const seed = [customer.code, channel, currency] as const;
        const orders = whole(2, 90, ...seed, 'orders') + 2 * day;
        const mean = currency === 'ARS' ? 48_000 : currency === 'USD' ? 45 : 820;
        return {
          'id-cuenta': customer.code,
          canal: channel,
          divisa: currency,
          'monto-atribuido': amount(orders * mean * decimal(0.8, 1.2, 3, ...seed, 'mean'), currency),
          'ticket-promedio': amount(mean, currency),
          'num-pedidos': orders,
          'pedidos-cancelados': whole(0, 3, ...seed, 'cancelled'),
          visitas: (orders * whole(12, 40, ...seed, 'visits')).toLocaleString('en-US'),
          'origen-del-dato': pick(['GA4', 'Shopify', 'Tiendanube', 'Mercado Shops'], customer.code, 'origin'),
          'fecha-corte': on(day).day,
        };
      }),
    ),
  );

export const storeAnswers: Routes<Customer> = {
  products: ({ firm: customer, day }) => ({
    productos: products(customer, day),
    resumen: { articulos: customer === agency ? 18 : 30, medidos_pct: 75 },
  }),
  shopping: ({ day }) => ({
    merchants: merchants(day),
    purchaseQuestions: { share: decimal(0.3, 0.5, 2, 'purchase', day), asked: 45 + day },
  }),
  revenue: ({ day }) => ({
    porCanal: revenue(day),
    embudo: upTo(3).map((step) => ({ paso: step + 1, personas: 900 - 250 * step + day })),
  }),
};

export const storeTruth: Truth = {
  'products.id': { paths: ['clave_producto'] },
  'products.sku': { paths: ['sku'] },
  'products.attributes': { paths: ['atributos'] },
  'products.title': { paths: ['nombre_articulo'] },
  'products.price': { paths: ['precio_lista', 'precio_lista | point'] },
  'products.currency': { paths: ['moneda'] },
  'products.ai_price': { paths: ['precio_segun_ia', 'precio_segun_ia | point'] },
  'products.is_measured': { paths: ['medido'] },
  'products.presence': { paths: ['aparece_en | percent', 'aparece_en | comma | percent'] },
  'products.win': { paths: ['tasa_de_triunfo | percent', 'tasa_de_triunfo | comma | percent'] },

  'merchants.merchant': { paths: ['storeName'] },
  'merchants.links': { paths: ['outboundLinks'] },
  'merchants.share': { paths: ['linkShare'] },
  'merchants.destination': { paths: ['landsOn'] },

  'revenue.client': { paths: ['id-cuenta'] },
  'revenue.channel': { paths: ['canal'] },
  'revenue.currency': { paths: ['divisa'] },
  'revenue.amount': { paths: ['monto-atribuido', 'monto-atribuido | point'] },
  'revenue.orders': { paths: ['num-pedidos'] },
  // When the figures were read, or until when they count.
  'revenue.period_end': { paths: ['fecha-corte'], isDoubtful: true },
  'revenue.as_of': { paths: ['fecha-corte'], isDoubtful: true },
  'revenue.sessions': { paths: ['visitas | point'] },
  'revenue.provenance': { paths: ['origen-del-dato'] },
};
