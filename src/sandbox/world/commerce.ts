// Products, shopping and revenue. Amounts are decimals with two places, each with its currency, and never summed.
import { groupBy } from '../../core/group-by.ts';
import { decimal, type JsonObject, type RawNumber, type Records, raw } from '../json-literal.ts';
import { at, Dice, hashOf } from '../random.ts';
import { list, type Route } from '../route.ts';
import { mentionRate } from './figures.ts';
import { states } from './listing.ts';
import { type Brand, clientOf, dateOf, type Scope, scaled } from './scope.ts';

const colours = ['azul', 'rojo', 'blanco', 'negro', 'verde', 'añil'] as const;

/** `products` of the scope's brand; ids are integers beyond 2^53. */
function products(scope: Scope): Records {
  const options = { name: 'productos', perBrand: scaled(scope, 24), brands: [scope.brand] };
  return states(scope, options, ({ brand, slot, life, fixed, state, changed }) => {
    const listPrice = fixed.int(900, 39_000) / 100;
    const measured = state.chance(0.85);
    return {
      id: productId(brand.index, slot * 100 + (life % 100)),
      sku: `${brand.index}-${String(slot).padStart(5, '0')}-${life % 100}`,
      nombre: `${fixed.pick(brand.sector.goods)} ${fixed.pick(colours)} ${slot + 1}`,
      url: `https://${brand.domain}/producto/${slot}-${life}`,
      precio: decimal(listPrice, 2),
      moneda: brand.place.currency,
      medido: measured,
      presencia: measured ? decimal(state.fraction(), 2) : null,
      tasaVictoria: measured ? decimal(state.fraction() * 0.8, 3) : null,
      precioIA:
        measured && state.chance(0.7) ? decimal(listPrice * (0.9 + state.fraction() * 0.25), 2) : null,
      atributos: {
        color: fixed.pick(colours),
        peso: raw(`${fixed.int(1, 9)}.50`),
        disponible: state.chance(0.9),
      },
      actualizado: dateOf(changed),
    };
  });
}

/** Between 2^53 and 2^63, so that parsing it as a float gives another product. */
function productId(brand: number, product: number): RawNumber {
  return raw(String(9_007_199_254_740_993n + BigInt(brand) * 100_000_000n + BigInt(product)));
}

/** `shopping`: merchants to which the engines send buyers. */
function shopping(scope: Scope): Records {
  const names = ['MercaTodo', 'La Tienda Útil', 'Bazar 24', 'TodoEnCasa', 'Ñam Market', 'El Rincón'];
  return states(scope, { name: 'merchants', perBrand: 4 }, ({ brand, slot, state, changed }) => ({
    merchant: at(names, slot + brand.index),
    cliente: clientOf(brand),
    enlaces: state.int(1, 80),
    cuota: decimal(state.fraction(), 3),
    destino: state.pick(['tienda_propia', 'marketplace', 'comparador']),
    recomendado: state.chance(0.4),
    actualizado: dateOf(changed),
  }));
}

const channels = ['chatgpt', 'gemini', 'perplexity', 'copilot'] as const;
const secondCurrency = ['USD', 'GBP', 'USD'] as const;

/** The last record of a brand has a second currency. */
function currencyOf(scope: Scope, brand: Brand, slot: number): string {
  if (slot < channels.length) return brand.place.currency;
  return at(secondCurrency, hashOf(scope.seed, 'moneda', brand.index));
}

/** Returns the last day with known revenue, which comes on the 10th, the 20th and at a month's end. */
function knownUntil(today: number): number {
  const [year = 0, month = 1, day = 1] = dateOf(today).split('-').map(Number);
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const known = day === last ? last : day >= 20 ? 20 : day >= 10 ? 10 : 0;
  return today - day + known;
}

interface Period {
  readonly from: number;
  readonly to: number;
}

/** Returns the month up to the last known day. */
function periodOf(today: number): Period {
  const to = knownUntil(today);
  return { from: to - Number(dateOf(to).slice(8)) + 1, to };
}

/** Adds up a channel's sales in a period, day by day; a brand that answers name more often sells more. */
function brought(scope: Scope, brand: Brand, slot: number, { from, to }: Period) {
  let cents = 0;
  let orders = 0;
  let sessions = 0;
  for (let day = from; day <= to; day++) {
    const dice = new Dice(scope.seed, 'ingresos', brand.index, slot, day);
    const visits = Math.round(dice.int(0, 40) * (0.3 + mentionRate(scope, brand, day)));
    const bought = Math.floor(visits * dice.fraction() * 0.15);
    sessions += visits;
    orders += bought;
    cents += bought * dice.int(900, 12_000);
  }
  return { cents, orders, sessions };
}

/** Lists a period's revenue in parts, each of one brand, channel and currency. */
function revenueParts(scope: Scope) {
  const period = periodOf(scope.today);
  const options = { name: 'ingresos', perBrand: channels.length + 1, permanent: true };
  const parts = states(scope, options, ({ brand, slot, fixed }) => {
    const channel = at(channels, slot);
    return {
      brand,
      channel,
      currency: currencyOf(scope, brand, slot),
      product: fixed.pick(brand.sector.goods),
      landing: `https://${brand.domain}/ofertas?canal=${channel}`,
      provenance: fixed.pick(['analitica', 'declarado', 'importado']),
      ...brought(scope, brand, slot, period),
    };
  });
  return { parts, from: dateOf(period.from), to: dateOf(period.to) };
}

type RevenuePart = ReturnType<typeof revenueParts>['parts'][number];

/** `revenue`: brand, channel and currency together identify a record, each with its period. */
function revenue(scope: Scope): Records {
  const { parts, from, to } = revenueParts(scope);
  return parts.map(({ brand, channel, currency, cents, orders, sessions, product, landing, provenance }) => ({
    canal: channel,
    moneda: currency,
    cliente: clientOf(brand),
    periodo: { desde: from, hasta: to },
    importe: decimal(cents / 100, 2),
    pedidos: orders,
    sesiones: sessions,
    producto: product,
    landing,
    procedencia: provenance,
    actualizado: to,
  }));
}

/**
 * Returns the part of `revenue` beside its list: sums by currency (never one total), by product and by landing page,
 * and the funnel.
 */
function revenueRest(scope: Scope): JsonObject {
  const { parts, from, to } = revenueParts(scope);
  const sum = (of: readonly RevenuePart[], figure: 'cents' | 'orders' | 'sessions') =>
    of.reduce((all, part) => all + part[figure], 0);
  const by = (name: string, value: (part: RevenuePart) => string) =>
    [...groupBy(parts, (part) => JSON.stringify([clientOf(part.brand), value(part), part.currency]))].map(
      ([, own]) => ({
        cliente: clientOf(at(own, 0).brand),
        [name]: value(at(own, 0)),
        moneda: at(own, 0).currency,
        importe: decimal(sum(own, 'cents') / 100, 2),
        pedidos: sum(own, 'orders'),
        sesiones: sum(own, 'sessions'),
      }),
    );
  return {
    porProducto: by('producto', ({ product }) => product),
    porLanding: by('landing', ({ landing }) => landing),
    funnel: {
      visitas: sum(parts, 'sessions'),
      carritos: sum(parts, 'orders') * 3,
      pedidos: sum(parts, 'orders'),
    },
    periodo: { desde: from, hasta: to },
  };
}

export const routes: readonly Route[] = [
  list('products', 'productos', products, undefined, { perClient: true }),
  list('shopping', 'merchants', shopping),
  list('revenue', 'porCanal', revenue, revenueRest),
];
