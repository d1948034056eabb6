// Where the engines take their answers from: domains and cited pages.
import { decimal, type JsonObject } from '../json-literal.ts';
import { at } from '../random.ts';
import { type Listing, states } from './listing.ts';
import { clientOf, dateOf, type Scope } from './scope.ts';
import { engines, mediaDomains } from './vocabulary.ts';

const domainKinds = ['medio', 'comparador', 'foro', 'enciclopedia', 'directorio', 'marca'] as const;

/** `sources`: a domain is named once; there are as many as brands give reason for. */
export function sources(scope: Scope): Listing {
  return states(scope, { name: 'dominios', perBrand: 8 }, ({ brand, slot, life, fixed, state, changed }) => ({
    dominio: domainName(slot, brand.index, life),
    tipo: fixed.pick(domainKinds),
    autoridad: state.int(5, 98),
    citas: state.int(1, 140),
    citasRivales: state.int(0, 180),
    brecha: decimal(state.fraction() * 2 - 1, 3),
    rivales: brand.sector.rivals.filter(() => state.chance(0.3)),
    oportunidad: state.chance(0.3) ? { tipo: 'mencion', motivo: 'Cita a rivales y no a la marca' } : null,
    actualizado: dateOf(changed),
  }));
}

/** One name for each slot, brand and life. */
function domainName(slot: number, brand: number, life: number): string {
  const [head] = at(mediaDomains, slot).split('.');
  return `${head}-${brand}${'abcdefghijkl'.charAt(life % 12)}.example`;
}

/** What `sources` says beside its list. */
export function sourcesRest(scope: Scope): JsonObject {
  return {
    resumen: { dominios: sources(scope).length },
    porTipo: domainKinds.map((tipo, index) => ({ tipo, cuota: decimal(0.3 - index * 0.05, 2) })),
  };
}

/** `citations`: cited pages; the address is the only identity. */
export function citedPages(scope: Scope): Listing {
  return states(
    scope,
    { name: 'urls', perBrand: 10 },
    ({ brand, slot, life, fixed, state, born, changed }) => {
      const own = fixed.chance(0.3);
      const host = own ? brand.domain : at(mediaDomains, slot);
      const path = encodeURIComponent(at(brand.sector.topics, slot).replaceAll(' ', '-'));
      return {
        url: `https://${host}/${brand.index}/${path}/${slot}-${life}?utm_source=ia&página=1`,
        dominio: host,
        cliente: clientOf(brand),
        propia: own,
        titulo: `${at(brand.sector.topics, slot)} | ${own ? brand.name : host}`,
        citas: state.int(1, 60),
        motores: engines.filter(() => state.chance(0.4)),
        primera: dateOf(born),
        ultima: dateOf(changed),
      };
    },
  );
}
