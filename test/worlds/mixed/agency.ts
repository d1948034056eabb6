// The agency's own lists: its clients in snake_case Spanish, its pending work, and the pages that engines cite.
import type { Truth } from '../world.ts';
import { type Customer, customers } from './customers.ts';
import { at, count, digest, often, one, padded, upTo, yesNo } from './kit.ts';
import { engines, questionOf } from './questions.ts';
import type { Answers } from './request.ts';

const record = (customer: Customer, index: number, day: number): unknown => ({
  folio_cliente: customer.code,
  id_interno: 88_200 + 7 * index,
  nombre_comercial: customer.name,
  razon_social: customer.legalName,
  sitio: customer.domain,
  estatus: index === 3 || (index === 4 && day > 1) ? 'en pausa' : 'vigente',
  rubro: customer.trade,
  ubicacion: { pais: customer.country, codigo_postal: `${68_000 + 431 * index}` },
  fecha_alta: at(customer.since).dayFirst,
  ultima_factura: at(-11).dayFirst,
  plan: one(['Básico', 'Pro', 'Pro'], customer.code, 'plan'),
  preguntas_contratadas: 15,
  ejecutiva: one(['Renata Ibarra', 'Julieta Sosa'], customer.code, 'ejecutiva'),
  huella: digest(16, customer.code, 'huella'),
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
  const customer = one(customers, 'cited', index);
  const isOwn = often(0.3, 'own', index);
  const good = one(customer.goods, 'good', index);
  const rival = one(customer.rivals, 'cited rival', index);
  const domain = isOwn ? customer.domain : one([...outlets, rival.domain], 'outlet', index);
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
    .filter((index) => often(0.94, 'still cited', index, day))
    .map((index) => {
      const { customer, domain, url, isOwn } = cited(index);
      return {
        liga: url,
        dominio: domain,
        veces_citada: count(1, 24, 'times', index) + day,
        veces_citada_con_rival: count(0, 9, 'times with a rival', index),
        es_propia: yesNo(isOwn),
        ultima_cita: at(day - count(0, 6, 'last', index, day)).dayFirst,
        rastreada_el: at(day - 7).dayFirst,
        codigo_http: 200,
        id_cuenta: customer.code,
      };
    });

const todo = (day: number): unknown[] =>
  upTo(24 + day).map((index) => {
    const customer = one(customers, 'action', index);
    return {
      folio: `AC-${padded(100 + index, 4)}`,
      asunto: `Responder mejor «${questionOf(customer, index).text}»`,
      cuenta: customer.code,
      hecho: yesNo(often(0.3, 'done', index, day)),
    };
  });

export const agencyAnswers: Answers = {
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
        motor: one(engines, 'cita', index),
        dia: at(day - 1).yearFirst,
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
