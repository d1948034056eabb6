// Sources of the engines' answers: domains and cited pages, counted in four weeks of citations.
import { decimal, type Records } from '../json-literal.ts';
import { at, hashOf } from '../random.ts';
import { list, type Route } from '../route.ts';
import { type Page, pageRounds, roundsOf, windowDays, windowRounds } from './measured.ts';
import { clientOf, dateOf, type Scope } from './scope.ts';

const domainKinds = ['medio', 'comparador', 'foro', 'enciclopedia', 'directorio'] as const;

interface Domain {
  kind: string;
  own: number;
  rival: number;
  day: number;
  readonly rivals: Set<string>;
}

function citedDomains(scope: Scope): ReadonlyMap<string, Domain> {
  const domains = new Map<string, Domain>();
  for (const brand of scope.brands) {
    for (const round of roundsOf(scope, brand)) {
      for (const { pages, rivals } of round.answers) {
        for (const page of pages) {
          const domain = domains.get(page.domain) ?? newDomain(scope, page);
          domains.set(page.domain, domain);
          domain.own += 1;
          domain.rival += rivals.length;
          domain.day = Math.max(domain.day, round.day);
          for (const rival of rivals) domain.rivals.add(at(brand.sector.rivals, rival));
        }
      }
    }
  }
  return domains;
}

function newDomain(scope: Scope, { domain, own }: Page): Domain {
  const kind = own ? 'marca' : at(domainKinds, hashOf(scope.seed, 'dominio', domain.split('-')[0] ?? ''));
  return { kind, own: 0, rival: 0, day: 0, rivals: new Set() };
}

/**
 * `sources`: lists each domain once, whichever brand's answers cite it. A citation counts for each rival named in its
 * answer.
 */
function sources(scope: Scope): Records {
  return [...citedDomains(scope)].map(([name, { kind, own, rival, day, rivals }]) => ({
    dominio: name,
    tipo: kind,
    autoridad: 5 + (hashOf(scope.seed, 'autoridad', name) % 94),
    citas: own,
    citasRivales: rival,
    ventanaDias: windowDays,
    brecha: decimal((rival - own) / (rival + own), 3),
    rivales: [...rivals],
    oportunidad: rival > own ? { tipo: 'mencion', motivo: 'Favorece a los rivales' } : null,
    actualizado: dateOf(day),
  }));
}

interface Cited {
  readonly page: Page;
  readonly engines: Set<string>;
  readonly last: number;
  count: number;
  first: number;
}

/** `citations`: the cited pages, identified by address alone. First and last seen cover all answers. */
function citedPages(scope: Scope): Records {
  return scope.brands.flatMap((brand) => {
    const cited = new Map<string, Cited>();
    for (const [age, { day, answers }] of pageRounds(scope, brand).entries()) {
      for (const { pages, engine } of answers) {
        for (const page of pages) {
          let entry = cited.get(page.url);
          if (age < windowRounds) {
            entry ??= { page, count: 0, engines: new Set(), first: day, last: day };
            cited.set(page.url, entry);
            entry.count += 1;
            entry.engines.add(engine);
          }
          if (entry !== undefined) entry.first = day;
        }
      }
    }
    return [...cited.values()].map(({ page, count, engines, first, last }) => ({
      url: page.url,
      dominio: page.domain,
      cliente: clientOf(brand),
      propia: page.own,
      titulo: page.title,
      citas: count,
      ventanaDias: windowDays,
      motores: [...engines],
      primera: dateOf(first),
      ultima: dateOf(last),
    }));
  });
}

export const routes: readonly Route[] = [
  list('sources', 'dominios', sources),
  list('citations', 'urls', citedPages),
];
