// Rivals, what is said of the brand, and where engines take it from.
import { chance, decimal, pick, whole } from '../english/kit.ts';
import { comma, round } from '../kit.ts';
import {
  at,
  is,
  listed,
  longNumber,
  moved,
  shortened,
  slashed,
  some,
  spacedTime,
  type Theme,
  uuid,
  within,
} from './kit.ts';
import { engines, type Owner, owners, questionsOf } from './owners.ts';

const topics = ['precio', 'calidad', 'entrega', 'atención', 'variedad', 'sostenibilidad'] as const;

function rivalOf(owner: Owner, name: string, index: number, day: number): unknown {
  const rate = within(0.5, 80, decimal(4, 40, 1, 'rival', name) + moved(day, 6, 'rival', name));
  return {
    id_rel: 700 + index,
    cuenta_seguida: owner.id,
    rival: { nombre: name, logo: `logos/${index}.svg` },
    compite_con: owner.name,
    grupo: index < 2 ? 'primario' : index < 4 ? 'emergente' : 'descubierto',
    aparic_100: round(rate),
    aparic_total: Math.round(rate * 2.4),
    temas: some(topics, 0.5, 'topics', name).map((tema, at) => ({ tema, peso: round(0.6 / (at + 1), 2) })),
    cuota_voz: `${comma(rate / 2, 1)} %`,
    revisado_por: index % 3 === 0 ? 'marta' : null,
  };
}

function alerts(day: number): unknown[] {
  return Array.from({ length: 14 + day }, (_, back) => day - back * 2).map((date) => {
    const owner = pick([...owners] as [Owner, ...Owner[]], 'alert', date);
    const rival = pick(owner.rivals, 'alert', date);
    const kind = pick(['adelantamiento', 'nuevo rival', 'caída'], 'alert-kind', date);
    return {
      cuenta: owner.id,
      saltó: spacedTime(at(date, 9 + chance('alert', date) * 4)),
      quien: rival,
      clase_aviso: kind,
      texto: `${rival}: ${kind} en ${pick(topics, 'alert', date)}`,
      leido: date < -3 ? 1 : 0,
    };
  });
}

/** A page is seen again on one day in nine. */
function lastSeen(seed: string, day: number): number {
  const ago = Array.from({ length: 16 }, (_, back) => back).find(
    (back) => chance('again', seed, day - back) < 0.11,
  );
  return ago === undefined ? -16 : day - ago;
}

function cited(day: number): unknown[] {
  return owners.flatMap((owner) =>
    Array.from({ length: 45 + day }, (_, index) => {
      const own = chance('own', owner.slug, index) < 0.3;
      const host = own ? owner.site : pick(hosts, 'host', owner.slug, index);
      const seen = index < 45 ? at(-whole(20, 300, 'seen', owner.slug, index)) : at(index - 44);
      return {
        cliente: owner.id === null ? null : { cod: owner.id, nombre: owner.name },
        enlace: `https://${host}/${owner.slug}/${index + 1}`,
        host,
        veces: whole(1, 60, 'times', owner.slug, index) + Math.max(0, Math.round(moved(day, 8, host, index))),
        veces_por_motor: Object.fromEntries(
          some(engines, 0.5, 'by', owner.slug, index).map(({ key }, order) => [key, order + 1]),
        ),
        propia: own ? 'sí' : 'no',
        vista_1: slashed(seen),
        vista_ult: slashed(Math.max(seen, at(lastSeen(`${owner.slug}-${index}`, day)))),
        estado_http: chance('http', host, index) < 0.04 ? 404 : 200,
      };
    }),
  );
}

const hosts = [
  'elpais.com',
  'reddit.com',
  'tripadvisor.es',
  'ocu.org',
  'xataka.com',
  'youtube.com',
  'es.wikipedia.org',
] as const;

function sources(day: number): unknown[] {
  return Array.from({ length: 90 }, (_, index) => {
    const owner = pick([...owners] as [Owner, ...Owner[]], 'source', index);
    const host = index < hosts.length ? hosts[index] : `${pick(topics, 'site', index)}-${index}.es`;
    const mine = whole(0, 70, 'mine', index);
    const theirs = Math.max(0, whole(0, 110, 'theirs', index) + Math.round(moved(day, 10, 'theirs', index)));
    const open = theirs > mine + 20;
    return {
      host,
      soporte: pick(['prensa', 'foro', 'comparador', 'directorio', 'blog'], 'kind', index),
      aut_dominio: whole(12, 97, 'authority', index),
      n_citas: mine,
      n_citas_rivales: theirs,
      diferencia: theirs - mine,
      ocasion: open
        ? { porque: `Cita a ${pick(owner.rivals, 'why', index)} y no a la marca`, coste: 'medio' }
        : null,
      toxicidad: decimal(0, 9, 1, 'toxic', index),
      en_lista_negra: false,
    };
  });
}

const traits = [
  'cercanía',
  'buen precio',
  'artesanía',
  'rapidez',
  'trato',
  'confianza',
  'modernidad',
] as const;

function attributes(day: number): unknown[] {
  return owners.flatMap((owner) =>
    Array.from({ length: 25 }, (_, index) => {
      const own = index < 7;
      const trait = pick(traits, owner.slug, index);
      const brand = own ? owner.name : (owner.rivals[index % 6] ?? owner.name);
      return {
        ref: longNumber('trait', owner.slug, index),
        cli: owner.id,
        sobre: brand,
        nuestra: own ? 1 : 0,
        rasgo: own ? traits[index] : trait,
        tono: pick(['positivo', 'neutro', 'negativo'], 'tone', owner.slug, index),
        apariciones:
          whole(1, 48, 'says', owner.slug, index) + Math.max(0, Math.round(moved(day, 6, brand, index))),
        textual: `«${brand} destaca por ${trait}, según varios usuarios.»`,
        ej_respuesta: uuid('answer', owner.slug, index),
      };
    }),
  );
}

function claims(day: number): unknown[] {
  return ['Horarios', 'Precios', 'Historia'].map((block, blockIndex) => ({
    bloque: block,
    afirmaciones: owners.map((owner, index) => ({
      marca: owner.name,
      enunciado: `${owner.name}: ${block.toLowerCase()} según el motor (${index + 1})`,
      dictamen: pick(
        ['correcta', 'incorrecta', 'sin dato'],
        'claim',
        block,
        owner.slug,
        index === day ? day : 0,
      ),
      comprobado: shortened(at(Math.min(day, 1) - index * 9 - blockIndex)),
      gravedad: whole(1, 3, 'weight', block, index),
    })),
  }));
}

export const rivals: Theme = {
  routes: {
    competitors: ({ day }) => ({
      corte: slashed(at(day)),
      respuestas_base: 240,
      competidores: owners.flatMap((owner, group) =>
        owner.rivals.map((name, index) => rivalOf(owner, name, index + group * 10, day)),
      ),
      avisos: alerts(day),
    }),
    citations: ({ day }) => ({ urls: cited(day), desde: slashed(at(-300)) }),
    citas: ({ day }) => ({
      citas: owners.flatMap((owner) =>
        Array.from({ length: 20 + day }, (_, index) => ({
          num: longNumber('cite', owner.slug, index),
          enlace: `https://${pick(hosts, 'host', owner.slug, index)}/${owner.slug}/${index + 1}`,
          consulta: questionsOf(owner)[index % 30],
          dia: slashed(at(index - 19)),
        })),
      ),
    }),
    sources: ({ day }) => ({ dominios: sources(day), total_citas: 4_210 + day }),
    perception: ({ day }) => ({ atributos: attributes(day), contraste: claims(day), idioma: 'es' }),
  },
  truth: {
    'competitors.client': is('cuenta_seguida'),
    'competitors.name': is('rival.nombre'),
    'competitors.brand': is('compite_con'),
    'competitors.class': is('grupo'),
    'competitors.per_100': is('aparic_100'),
    'competitors.topics': listed('temas', 'tema'),
    'competitors.share': is('cuota_voz | comma | percent', 'cuota_voz | percent'),
    'competitors.as_of': is('^^corte | dmy'),
    'citas.id': is('num'),
    'citas.date': is('dia | dmy'),
    'citas.question': is('consulta'),
    'citas.url': is('enlace'),
    'competitor_alerts.(rows)': is('avisos'),
    'competitor_alerts.client': is('cuenta'),
    'competitor_alerts.date': is('saltó'),
    'competitor_alerts.competitor': is('quien'),
    'competitor_alerts.kind': is('clase_aviso'),
    'competitor_alerts.message': is('texto'),
    'citations.client': is('cliente.cod'),
    'citations.url': is('enlace'),
    'citations.domain': is('host'),
    'citations.citations': is('veces'),
    'citations.is_own': is('propia'),
    'citations.first_seen': is('vista_1 | dmy'),
    'citations.last_seen': is('vista_ult | dmy'),
    'sources.domain': is('host'),
    'sources.kind': is('soporte'),
    'sources.authority': is('aut_dominio'),
    'sources.citations': is('n_citas'),
    'sources.rival_citations': is('n_citas_rivales'),
    'sources.gap': is('diferencia'),
    'sources.opportunity_reason': is('ocasion.porque'),
    'perception.client': is('cli'),
    'perception.brand': is('sobre'),
    'perception.attribute': is('rasgo'),
    'perception.is_own': is('nuestra'),
    'perception.polarity': is('tono'),
    'perception.mentions': is('apariciones'),
    'perception.phrase': is('textual'),
    'claims.(rows)': is('contraste[].afirmaciones'),
    'claims.brand': is('marca'),
    'claims.claim': is('enunciado'),
    'claims.verdict': is('dictamen'),
    'claims.checked': is('comprobado'),
  },
};
