// Products, shops and revenue.
import { decimal, isLikely, newestDay, pick, some, whole } from '../english/kit.ts';
import { range, round } from '../kit.ts';
import { at, dayFirst, decimalText, percentText } from '../places.ts';
import type { Routes, Truth } from '../world.ts';
import { type Firm, firms, pageOf } from './firms.ts';
import { money, on, percent } from './kit.ts';

const shops = ['Amazon', 'El Corte Inglés', 'Carrefour', 'Miravia', 'Booking', 'Decathlon', 'Web propia'];

const channels = ['ChatGPT', 'Perplexity', 'Gemini', 'Copilot'];

export const shopRoutes: Routes<Firm> = {
  products: ({ firm, day }) => ({
    catalogo_id: (firm.id ?? 1000) + 7000,
    productos: range(1, 40).map((row) => {
      const thing = pick(firm.things, row);
      const words = [firm.name, row] as const;
      const price = decimal(8, 1900, 2, ...words, 'price');
      const isMeasured = isLikely(0.6, ...words, 'measured');
      const since = newestDay(day, 0.3, ...words);
      return {
        prod_id: (firm.id ?? 1000) * 1000 + row,
        sku: `${firm.domain.slice(0, 3).toUpperCase()}-${String(row).padStart(4, '0')}`,
        ean: `84${whole(10 ** 10, 10 ** 11 - 1, ...words, 'ean')}`,
        tx_nombre: `${thing} n.º ${row}`,
        precio: money(price),
        precio_coste: money(price * 0.6),
        precio_ia: isMeasured ? money(round(price * decimal(0.9, 1.15, 2, ...words, 'ai', since), 2)) : null,
        pc_iva: 21,
        es_medido: isMeasured ? 1 : 0,
        pc_presencia: isMeasured ? percent(decimal(0, 80, 1, ...words, 'presence', since)) : null,
        n_stock: whole(0, 90, ...words, day),
        f_act: on(since, -60).dmy,
      };
    }),
  }),
  shopping: ({ day }) => ({
    cuota_preguntas_compra: percent(31.4 + (day % 5)),
    merchants: firms.flatMap((firm, who) =>
      some(shops, 0.7, firm.name).map((merchant) => {
        const words = [firm.name, merchant] as const;
        return {
          comercio_id: (who + 1) * 100 + shops.indexOf(merchant),
          cl_id: firm.id,
          comercio: merchant,
          enlaces: whole(2, 140, ...words, newestDay(day, 0.4, merchant)),
          cuota_de_enlaces: decimal(0.01, 0.5, 3, ...words, newestDay(day, 0.4, merchant)),
          es_recomendado: isLikely(0.4, ...words, 'good') ? 'sí' : 'no',
          preguntas_con_enlace: whole(1, 20, ...words, day),
        };
      }),
    ),
  }),
  revenue: ({ day }) => ({
    periodo: '30d',
    embudo: { sesiones: 5200 + day * 14, carritos: 410 + day, pedidos: 166 + day },
    porCanal: firms.flatMap((firm, who) =>
      channels.flatMap((channel, row) =>
        ['EUR', 'USD'].slice(0, who % 2 === 0 ? 2 : 1).map((currency) => {
          const words = [firm.name, channel, currency] as const;
          const orders = whole(2, 60, ...words) + day;
          const amount = orders * decimal(30, 180, 2, ...words, newestDay(day, 0.3, channel));
          return {
            ing_id: (who + 1) * 100 + row * 10 + (currency === 'EUR' ? 0 : 1),
            cl_id: firm.id,
            tx_canal: channel,
            tx_moneda: currency,
            imp_ingresos: money(amount, currency === 'EUR' ? '€' : '$'),
            imp_medio: money(amount / orders, currency === 'EUR' ? '€' : '$'),
            n_pedidos: orders,
            pc_conversion: percent(decimal(0.8, 6, 2, ...words), 2),
            pag_entrada: pageOf(firm, pick(firm.things, ...words)),
          };
        }),
      ),
    ),
  }),
};

export const shopTruth: Truth = {
  'products.id': at('prod_id'),
  'products.sku': at('sku'),
  'products.title': at('tx_nombre'),
  'products.price': decimalText('precio'),
  'products.ai_price': decimalText('precio_ia'),
  'products.is_measured': at('es_medido'),
  'products.presence': percentText('pc_presencia'),
  'products.updated': dayFirst('f_act'),
  'merchants.client': at('cl_id'),
  'merchants.merchant': at('comercio'),
  'merchants.links': at('enlaces'),
  'merchants.share': at('cuota_de_enlaces'),
  'merchants.is_recommended': at('es_recomendado'),
  'revenue.client': at('cl_id'),
  'revenue.channel': at('tx_canal'),
  'revenue.currency': at('tx_moneda'),
  'revenue.amount': decimalText('imp_ingresos'),
  'revenue.orders': at('n_pedidos'),
  'revenue.period': at('^^periodo'),
  'revenue_funnel.sessions': at('embudo.sesiones'),
  'revenue_funnel.carts': at('embudo.carritos'),
  'revenue_funnel.orders': at('embudo.pedidos'),
  'revenue_funnel.period': at('periodo'),
  'revenue.landing': at('pag_entrada'),
};
