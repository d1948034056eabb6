// A catalogue of products, of which a share changes each day. The same day gives the same records every time.

export interface World {
  readonly clients: number;
  readonly products: number;
  readonly dates: number;
}

/** A number from 0 to 1 that only its seed decides. */
function chance(seed: number): number {
  let value = (seed + 0x6d2b79f5) | 0;
  value = Math.imul(value ^ (value >>> 15), value | 1);
  value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
  return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
}

/** How often a product has changed until each date. */
export function revisions(world: World, changePercent: number): number[][] {
  const products = Array.from({ length: world.clients * world.products }, () => 0);
  return Array.from({ length: world.dates }, (_, date) =>
    products.map((before, product) => {
      const changes = date > 0 && chance(product * 100_003 + date) * 100 < changePercent;
      products[product] = changes ? before + 1 : before;
      return products[product];
    }),
  );
}

/** About 700 bytes, as a product of the API is. */
export function productRecord(product: number, revision: number): Record<string, unknown> {
  const seed = product * 7_919 + revision;
  const rate = (part: number) => Number(chance(seed + part * 31).toFixed(3));
  return {
    id: `prod_${String(product).padStart(6, '0')}`,
    sku: `SKU-${(product * 2_654_435_761) % 1_000_000}`,
    nombre: `Silla de oficina ergonómica con reposabrazos, modelo ${product}`,
    url: `https://tienda.example/catalogo/sillas-de-oficina/modelo-${product}?ref=catalogo`,
    precio: 89.9 + (product % 40),
    moneda: 'EUR',
    medido: true,
    presencia: rate(1),
    tasa_victoria: rate(2),
    precio_ia: Number((80 + rate(3) * 50).toFixed(2)),
    motores: ['chatgpt', 'gemini', 'perplexity'],
    atributos: [
      { atributo: 'ergonómica', menciones: Math.round(rate(4) * 40), polaridad: 'positiva' },
      { atributo: 'fácil de montar', menciones: Math.round(rate(5) * 40), polaridad: 'positiva' },
      { atributo: 'precio elevado', menciones: Math.round(rate(6) * 40), polaridad: 'negativa' },
    ],
    actualizado: `2026-01-01T00:00:${String(revision % 60).padStart(2, '0')}Z`,
  };
}
