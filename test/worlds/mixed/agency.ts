// The agency's own lists: its clients in snake_case Spanish, its pending work, and the pages that engines cite.
import type { Routes, Truth } from '../world.ts';
import { type Customer, customers, engines, questionOf } from './customers.ts';
import { hex, isLikely, on, padded, pick, upTo, whole, yesNo } from './kit.ts';

const record = (customer: Customer, index: number, day: number): unknown => ({
  folio_cliente: customer.code,
  id_interno: 88_200 + 7 * index,
  nombre_comercial: customer.name,
  razon_social: customer.legalName,
  sitio: customer.domain,
  estatus: index === 3 || (index === 4 && day > 1) ? 'en pausa' : 'vigente',
  rubro: customer.trade,
  ubicacion: { pais: customer.country, codigo_postal: `${68_000 + 431 * index}` },
  fecha_alta: on(customer.since).dayFirst,
  ultima_factura: on(-11).dayFirst,
  plan: pick(['Básico', 'Pro', 'Pro'], customer.code, 'plan'),
  preguntas_contratadas: 15,
  ejecutiva: pick(['Renata Ibarra', 'Julieta Sosa'], customer.code, 'ejecutiva'),
  huella: hex(16, customer.code, 'huella'),
});

const outlets = [
  'guiasabor.mx',
  'elcomparador.lat',
  'foroconsumo.com.ar',
  'revistaciudad.com',
  'opinionesmx.com',
];

interface Cited {
  readonly customer: Customer;
  readonly domain: string;
  readonly url: string;
  readonly isOwn: boolean;
}

function cited(index: number): Cited {
  const customer = pick(customers, 'cited', index);
  const isOwn = isLikely(0.3, 'own', index);
  const good = pick(customer.goods, 'good', index);
  const rival = pick(customer.rivals, 'cited rival', index);
  const domain = isOwn ? customer.domain : pick([...outlets, rival.domain], 'outlet', index);
  const slug = good
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(' ', '-');
  return {
    customer,
    domain,
    url: `https://${domain}/notas/${slug}-${index}`,
    isOwn,
  };
}

/** Pages come and go. */
const citations = (day: number): unknown[] =>
  upTo(170)
    .filter((index) => isLikely(0.94, 'still cited', index, day))
    .map((index) => {
      const { customer, domain, url, isOwn } = cited(index);
      return {
        liga: url,
        dominio: domain,
        veces_citada: whole(1, 24, 'times', index) + day,
        veces_citada_con_rival: whole(0, 9, 'times with a rival', index),
        es_propia: yesNo(isOwn),
        ultima_cita: on(day - whole(0, 6, 'last', index, day)).dayFirst,
        rastreada_el: on(day - 7).dayFirst,
        codigo_http: 200,
        id_cuenta: customer.code,
      };
    });

const todo = (day: number): unknown[] =>
  upTo(24 + day).map((index) => {
    const customer = pick(customers, 'action', index);
    return {
      folio: `AC-${padded(100 + index, 4)}`,
      asunto: `Responder mejor «${questionOf(customer, index).text}»`,
      cuenta: customer.code,
      hecho: yesNo(isLikely(0.3, 'done', index, day)),
    };
  });

export const agencyAnswers: Routes<Customer> = {
  clientes: ({ day }) => ({
    cartera: customers.map((customer, index) => record(customer, index, day)),
    total: customers.length,
  }),
  citations: ({ day }) => ({ urls: citations(day), ventana_dias: 28 }),
  citas: ({ day }) => ({
    listado: upTo(60).map((index) => {
      const { customer, url } = cited(index);
      return {
        liga: url,
        cta: customer.code,
        motor: pick(engines, 'cita', index),
        dia: on(day - 1).yearFirst,
      };
    }),
  }),
  acciones: ({ day }) => ({ acciones: todo(day) }),
};

export const agencyTruth: Truth = {
  'clients.id': { paths: ['folio_cliente'] },
  'clients.name': { paths: ['nombre_comercial'] },
  'clients.domain': { paths: ['sitio'] },
  'clients.status': { paths: ['estatus'] },
  'clients.sector': { paths: ['rubro'] },
  'clients.country': { paths: ['ubicacion.pais'] },
  'clients.created': { paths: ['fecha_alta | dmy'] },

  'citations.client': { paths: ['id_cuenta'] },
  'citations.url': { paths: ['liga'] },
  'citations.domain': { paths: ['dominio'] },
  'citations.citations': { paths: ['veces_citada'] },
  'citations.period': { paths: ['^^ventana_dias'] },
  'citations.is_own': { paths: ['es_propia'] },
  'citations.last_seen': { paths: ['ultima_cita | dmy'] },

  'citas.client': { paths: ['cta'] },
  'citas.date': { paths: ['dia'] },
  'citas.engine': { paths: ['motor'] },
  'citas.url': { paths: ['liga'] },

  'acciones.client': { paths: ['cuenta'] },
  'acciones.id': { paths: ['folio'] },
  'acciones.title': { paths: ['asunto'] },
};
