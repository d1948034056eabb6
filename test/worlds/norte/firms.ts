// The agency in Santander and its five clients, their rivals, questions and pages.
import { chance, decimal, newestDay, pick, whole } from '../english/kit.ts';
import { range, round } from '../kit.ts';
import { at, dated } from '../places.ts';
import type { Routes, Truth } from '../world.ts';
import { money, on } from './kit.ts';

export interface Firm {
  /** null: the agency itself. */
  readonly id: number | null;
  readonly name: string;
  readonly domain: string;
  readonly sector: string;
  readonly city: string;
  readonly rivals: readonly string[];
  readonly things: readonly string[];
}

export const agency: Firm = {
  id: null,
  name: 'Norte Posicionamiento',
  domain: 'norteposicionamiento.es',
  sector: 'agencia',
  city: 'Santander',
  rivals: ['Bahía SEO', 'Clic Cantábrico', 'Faro Digital'],
  things: ['auditoría SEO', 'posicionamiento local', 'visibilidad en IA'],
};

export const firms: readonly Firm[] = [
  {
    id: 1042,
    name: 'Conservas Ría de Noja',
    domain: 'conservasriadenoja.es',
    sector: 'alimentación',
    city: 'Santoña',
    rivals: ['Anchoas Peñalba', 'La Lonja del Cabo', 'Conservera Trasmiera', 'Mar de Ajo'],
    things: ['anchoas en aceite', 'bonito del norte', 'ventresca', 'mejillones en escabeche'],
  },
  {
    id: 1057,
    name: 'Clínica Dental Urquijo',
    domain: 'dentalurquijo.com',
    sector: 'salud',
    city: 'Bilbao',
    rivals: ['Sonríe Abando', 'Dental Ibaizabal', 'Clínica Arriaga'],
    things: ['implantes dentales', 'ortodoncia invisible', 'blanqueamiento', 'carillas'],
  },
  {
    id: 1063,
    name: 'Hotel Palacio de Somió',
    domain: 'palaciodesomio.com',
    sector: 'turismo',
    city: 'Gijón',
    rivals: ['Hotel Costa Verde', 'Gran Hotel Jovellanos', 'Casona de Deva'],
    things: ['hotel con encanto', 'escapada romántica', 'bodas', 'hotel con spa'],
  },
  {
    id: 1088,
    name: 'Muebles Baztán',
    domain: 'mueblesbaztan.com',
    sector: 'hogar',
    city: 'Pamplona',
    rivals: ['Roble y Haya', 'Casa Irati', 'Maderas del Bidasoa', 'Mobil Norte'],
    things: ['mesas de roble', 'sofás a medida', 'estanterías', 'camas de madera'],
  },
  {
    id: 1101,
    name: 'Bicicletas Txirrin',
    domain: 'txirrin.eus',
    sector: 'deporte',
    city: 'Donostia',
    rivals: ['Pedal Vivo', 'Ciclos Aralar', 'Urbana Bikes'],
    things: ['bicicletas eléctricas', 'bicis de montaña', 'cascos', 'alquiler de bicis'],
  },
];

export const everyone: readonly Firm[] = [agency, ...firms];

export const engines = ['ChatGPT', 'Gemini', 'Perplexity', 'Copilot', 'Claude'] as const;

const patterns = [
  '¿Dónde comprar THING en CITY?',
  '¿Cuál es la mejor opción de THING cerca de CITY?',
  '¿Qué marca de THING recomiendas?',
  '¿Cuánto cuesta THING?',
  'Opiniones sobre THING',
  'Comparativa de THING calidad precio',
];

export interface Question {
  readonly id: number;
  readonly firm: Firm;
  readonly thing: string;
  readonly text: string;
}

export const questionsOf = (firm: Firm): Question[] =>
  firm.things.flatMap((thing, row) =>
    patterns.map((pattern, column) => ({
      id: (firm.id ?? 1000) * 100 + row * 10 + column,
      firm,
      thing,
      text: pattern.replace('THING', thing).replace('CITY', firm.city),
    })),
  );

export const questions: readonly Question[] = firms.flatMap(questionsOf);

const slug = (text: string) =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f¿?]/g, '')
    .replaceAll(' ', '-')
    .toLowerCase();

export const pageOf = (firm: Firm, thing: string): string => `https://www.${firm.domain}/${slug(thing)}/`;

export const webOf = (name: string): string => `${slug(name).replaceAll('-', '')}.es`;

/** The AI Rank of a firm on a day. */
export function rankOf(firm: Firm, offset: number, method: 'v1' | 'v2'): number {
  const level = 38 + chance(firm.name, 'level') * 34 + (method === 'v1' ? -4.3 : 0);
  const wave = Math.sin(offset / 9 + chance(firm.name, 'phase') * 6) * 4;
  return round(level + wave + decimal(-1.2, 1.2, 1, firm.name, method, offset));
}

export const clientRoutes: Routes<Firm> = {
  clientes: ({ day }) => ({
    total: firms.length,
    clientes: firms.map((firm) => ({
      cl_id: firm.id,
      cl_nombre: firm.name,
      cl_razon_social: `${firm.name} ${pick(['S.L.', 'S.A.', 'S.L.U.'], firm.name)}`,
      cl_cif: `B${whole(10_000_000, 99_999_999, firm.name, 'cif')}`,
      cl_web: firm.domain,
      cl_cp: String(whole(10_000, 50_999, firm.name, 'cp')),
      cl_situacion: firm.id === 1101 ? 'en pausa' : 'activo',
      f_alta: on(-whole(200, 1900, firm.name, 'alta')).dmy,
      f_ult_mod: on(newestDay(day, 0.2, firm.name, 'mod')).slashed,
      n_usuarios: whole(1, 6, firm.name, 'users'),
      tarifa_mes: money(pick([249, 349, 490, 1250], firm.name, 'fee')),
      id_wp: range(1, 3).reduce((sum, at) => sum + whole(100, 400, firm.name, 'wp', at), 0),
    })),
  }),
};

export const clientTruth: Truth = {
  'clients.client': at('cl_id'),
  'clients.id': at('cl_id'),
  'clients.name': at('cl_nombre'),
  'clients.domain': at('cl_web'),
  'clients.status': at('cl_situacion'),
  'clients.created': dated('f_alta'),
};
