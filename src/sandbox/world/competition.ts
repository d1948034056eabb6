// Competitors, perception and benchmark.
import { decimal, type JsonObject, type JsonValue } from '../json-literal.ts';
import { at, hashOf } from '../random.ts';
import { rankScore } from './figures.ts';
import { type Listing, states } from './listing.ts';
import { type Brand, clientOf, dateOf, type Scope } from './scope.ts';

const classes = ['primario', 'emergente', 'descubierto'] as const;

/** `competitors`: one record a brand and rival. */
export function competitors(scope: Scope): Listing {
  return states(scope, { name: 'rivales', perBrand: 6 }, ({ brand, slot, life, fixed, state, changed }) => ({
    nombre: rivalName(brand, slot, life),
    marca: brand.name,
    cliente: clientOf(brand),
    clase: fixed.pick(classes),
    menciones_por_100: decimal(2 + state.fraction() * 60, 1),
    movimiento: decimal(state.fraction() * 8 - 4, 1),
    serie: [28, 21, 14, 7, 0].map((back) => ({
      fecha: dateOf(changed - back),
      por100: decimal(2 + state.fraction() * 60, 1),
    })),
    temas: brand.sector.topics.filter(() => state.chance(0.4)),
    actualizado: dateOf(changed),
  }));
}

function rivalName(brand: Brand, slot: number, life: number): string {
  const name = at(brand.sector.rivals, slot);
  return life % 3 === 0 ? name : `${name} ${brand.place.city}`;
}

/** What `competitors` says beside its list: alerts that come and go. */
export function competitorsRest(scope: Scope): JsonObject {
  const { brand, today } = scope;
  const alerts: JsonValue[] = [];
  for (let day = today; day > today - 7; day--) {
    const draw = hashOf(scope.seed, 'alerta', day);
    if (draw % 4 !== 0) continue;
    alerts.push({
      fecha: dateOf(day),
      competidor: at(brand.sector.rivals, draw % 11),
      tipo: draw % 8 === 0 ? 'adelanta' : 'nuevo_tema',
      mensaje: `Aparece en más respuestas sobre ${at(brand.sector.topics, draw % 13)}`,
    });
  }
  return {
    marca: { nombre: brand.name, por100: decimal(rankScore(scope, brand, 'v2', today) / 2, 1) },
    alertas: alerts,
  };
}

const adjectives = [
  'cercana',
  'cara',
  'innovadora',
  'fiable',
  'lenta',
  'artesanal',
  'técnica',
  'familiar',
] as const;
const verdicts = ['correcta', 'incorrecta', 'sin_verificar'] as const;

/** `perception`: no identifier; brand and attribute together name a record. */
export function perception(scope: Scope): Listing {
  return states(scope, { name: 'atributos', perBrand: 6 }, ({ brand, slot, life, state, changed }) => {
    const adjective = at(adjectives, slot * 2 + (life % 2));
    const name = slot < 4 ? brand.name : at(brand.sector.rivals, slot);
    return {
      marca: name,
      atributo: adjective,
      cliente: clientOf(brand),
      propia: slot < 4,
      polaridad: state.pick(['positiva', 'neutra', 'negativa']),
      menciones: state.int(1, 44),
      frase: `«${name} es una opción ${adjective} 😊, según quienes la han probado»`,
      confianza: decimal(state.fraction(), 3),
      actualizado: dateOf(changed),
    };
  });
}

/** What `perception` says beside its list: claims checked against the customer's facts. */
export function perceptionRest(scope: Scope): JsonObject {
  const claims = states(scope, { name: 'afirmaciones', perBrand: 2 }, ({ brand, slot, state, changed }) => ({
    marca: brand.name,
    afirmacion: at([`Abre los domingos en ${brand.place.city}`, `Fundada en ${1980 + brand.index}`], slot),
    veredicto: state.pick(verdicts),
    hecho: state.chance(0.5) ? 'Según la ficha del cliente' : null,
    revisada: dateOf(changed),
  }));
  return { afirmaciones: Array.from({ length: claims.length }, (_, index) => claims.at(index)) };
}

const fewestBrands = 20;
const cuts = ['global', 'sector', 'tipo', 'pais'] as const;

/** `benchmark`: brand, cut and value together name a record; Portugal never has enough brands. */
export function benchmark(scope: Scope): Listing {
  const options = { name: 'cortes', perBrand: cuts.length, permanent: true };
  return states(scope, options, ({ brand, slot, fixed, state, changed }) => {
    const cut = at(cuts, slot);
    const value = cutValue(brand, cut);
    const comparable =
      value === 'PT' || (cut === 'sector' && brand.index === 2) ? fixed.int(4, 19) : state.int(24, 900);
    const enough = comparable >= fewestBrands;
    return {
      corte: cut,
      valor: value,
      cliente: clientOf(brand),
      marcas_comparables: comparable,
      minimo: fewestBrands,
      estado: enough ? 'ok' : 'muestra_insuficiente',
      percentil: enough ? state.int(3, 97) : null,
      mediana: enough ? decimal(38 + state.fraction() * 12, 1) : null,
      actualizado: dateOf(changed),
    };
  });
}

function cutValue(brand: Brand, cut: (typeof cuts)[number]): string {
  switch (cut) {
    case 'global':
      return '*';
    case 'sector':
      return brand.sector.name;
    case 'tipo':
      return brand.sector.kind;
    case 'pais':
      // The second client is measured in Portugal's index, so that a small sample is always to be seen.
      return brand.index === 2 ? 'PT' : brand.place.country;
  }
}

/** What `benchmark` says beside its list. */
export function benchmarkRest(scope: Scope): JsonObject {
  return { generado: dateOf(scope.today - (scope.today % 7)), indice: 'público', minimoMarcas: fewestBrands };
}
