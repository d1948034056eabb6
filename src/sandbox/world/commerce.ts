// Products, shopping and revenue. Amounts are decimals with two places, each with its currency; never summed.
import { decimal, type JsonObject, type RawNumber, raw } from '../json-literal.ts';
import { at, type Dice, hashOf } from '../random.ts';
import { clamp, walk } from './figures.ts';
import { type Listing, states } from './listing.ts';
import { clientOf, dateOf, type Scope, scaled } from './scope.ts';

const colours = ['azul', 'rojo', 'blanco', 'negro', 'verde', 'añil'] as const;

/** `products` of the scope's brand; ids are integers beyond 2^53. */
export function products(scope: Scope): Listing {
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

/** Between 2^53 and 2^63, so that a reader who parses it as a float gets another product. */
function productId(brand: number, product: number): RawNumber {
  return raw(String(9_007_199_254_740_993n + BigInt(brand) * 100_000_000n + BigInt(product)));
}

/** What `products` says beside its list. */
export function productsRest(scope: Scope): JsonObject {
  return { cliente: clientOf(scope.brand), catalogo: { fuente: 'feed', productos: products(scope).length } };
}

/** `shopping`: merchants that the engines send buyers to. */
export function shopping(scope: Scope): Listing {
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

/** What `shopping` says beside its list; the share of purchase questions moves daily. */
export function shoppingRest(scope: Scope): JsonObject {
  const purchase = clamp(0.3 + 0.1 * walk(hashOf(scope.seed, 'compra'), 20, scope.today), 0, 1);
  return {
    cuotaPreguntasCompra: decimal(purchase, 4),
    recomendacion: { si: 14, no: 5, parcial: 6 },
    destinos: { tienda_propia: raw('0.40'), marketplace: raw('0.35'), comparador: raw('0.25') },
  };
}

const channels = ['chatgpt', 'gemini', 'perplexity', 'copilot'] as const;
const secondCurrency = ['USD', 'GBP', 'USD'] as const;

/** `revenue`: brand, channel and currency together name a record. */
export function revenue(scope: Scope): Listing {
  const options = { name: 'ingresos', perBrand: channels.length + 1, permanent: true };
  return states(scope, options, ({ brand, slot, state, fixed, changed }) => {
    const channel = at(channels, slot);
    const currency = slot < channels.length ? brand.place.currency : fixed.pick(secondCurrency);
    return {
      canal: channel,
      moneda: currency,
      cliente: clientOf(brand),
      importe: amount(state),
      pedidos: state.int(0, 90),
      sesiones: state.int(20, 2400),
      producto: fixed.pick(brand.sector.goods),
      landing: `https://${brand.domain}/ofertas?canal=${channel}`,
      procedencia: fixed.pick(['analitica', 'declarado', 'importado']),
      actualizado: dateOf(changed),
    };
  });
}

function amount(dice: Dice): RawNumber {
  return raw(`${dice.int(10, 9800)}.${dice.pick(['00', '50', '90', '25'])}`);
}

/** What `revenue` says beside its list: totals by currency (never one total) and the funnel. */
export function revenueRest(scope: Scope): JsonObject {
  const month = Math.floor(scope.today / 30);
  const draw = (name: string) => hashOf(scope.seed, name, month) % 9000;
  return {
    porMoneda: [
      { moneda: 'EUR', importe: decimal(12_000 + draw('EUR'), 2) },
      { moneda: 'MXN', importe: decimal(80_000 + draw('MXN'), 2) },
      { moneda: 'USD', importe: decimal(900 + draw('USD') / 10, 2) },
    ],
    funnel: { visitas: 5200 + draw('visitas'), carritos: 420, pedidos: 88 },
    periodo: { desde: dateOf(month * 30), hasta: dateOf(month * 30 + 29) },
  };
}
