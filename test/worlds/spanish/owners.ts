// Whose data it is: the agency's account and its five clients.
import { chance } from '../english/kit.ts';
import { round } from '../kit.ts';
import { at, within } from './kit.ts';

export interface Owner {
  /** What `cliente` takes; null: the account itself. */
  readonly id: string | null;
  readonly name: string;
  readonly legalName: string;
  readonly slug: string;
  readonly site: string;
  readonly sector: string;
  readonly city: string;
  readonly province: string;
  readonly country: string;
  readonly currency: string;
  readonly status: string;
  readonly since: number;
  readonly products: number;
  readonly level: number;
  readonly goods: readonly [string, string, string];
  readonly rivals: readonly [string, ...string[]];
}

export const account: Owner = {
  id: null,
  name: 'Agencia Faro',
  legalName: 'Faro Comunicación y Datos, S.L.',
  slug: 'agencia-faro',
  site: 'agenciafaro.es',
  sector: 'Marketing',
  city: 'Madrid',
  province: 'Madrid',
  country: 'ES',
  currency: 'EUR',
  status: 'activo',
  since: at(-900),
  products: 0,
  level: 48,
  goods: ['agencia de posicionamiento', 'auditoría web', 'consultora de datos'],
  rivals: ['Norte Digital', 'Sigma Medios', 'Altavoz', 'Luz Verde', 'Cien Palabras', 'Hilo Rojo'],
};

export const clients: readonly Owner[] = [
  {
    id: '9007199254741107',
    name: 'Molino',
    legalName: 'Panadería Artesana Molino, S.L.',
    slug: 'molino',
    site: 'molinopan.es',
    sector: 'Alimentación',
    city: 'Valladolid',
    province: 'Valladolid',
    country: 'ES',
    currency: 'EUR',
    status: 'activo',
    since: at(-611),
    products: 74,
    level: 63,
    goods: ['pan de masa madre', 'panadería', 'empanada'],
    rivals: ['Horno Real', 'La Tahona', 'Pan y Trigo', 'Obrador Sur', 'Espiga', 'Miga'],
  },
  {
    id: '9007199254741224',
    name: 'Clínica Sonría',
    legalName: 'Sonría Odontólogos, S.L.P.',
    slug: 'clinica-sonria',
    site: 'clinicasonria.com',
    sector: 'Salud',
    city: 'Sevilla',
    province: 'Sevilla',
    country: 'ES',
    currency: 'EUR',
    status: 'activo',
    since: at(-402),
    products: 12,
    level: 41,
    goods: ['dentista', 'ortodoncia invisible', 'implante dental'],
    rivals: ['Dental Betis', 'Vitaldente', 'Clínica Triana', 'Boca Sana', 'Orto Nervión', 'Dentix Sur'],
  },
  {
    id: '9007199254742310',
    name: 'Óptica Levante',
    legalName: 'Óptica Levante, S.A.',
    slug: 'optica-levante',
    site: 'opticalevante.es',
    sector: 'Comercio',
    city: 'Valencia',
    province: 'Valencia',
    country: 'ES',
    currency: 'EUR',
    status: 'prueba',
    since: at(-57),
    products: 212,
    level: 55,
    goods: ['gafas progresivas', 'óptica', 'lentillas'],
    rivals: ['Visión Turia', 'Multióptica Centro', 'Gafas Ya', 'Ojo Claro', 'Retina', 'Lentesur'],
  },
  {
    id: '9007199254742598',
    name: 'Bodegas Tresviñas',
    legalName: 'Bodegas Tresviñas, S. Coop.',
    slug: 'tresvinas',
    site: 'tresvinas.com',
    sector: 'Alimentación',
    city: 'Logroño',
    province: 'La Rioja',
    country: 'ES',
    currency: 'EUR',
    status: 'activo',
    since: at(-288),
    products: 41,
    level: 70,
    goods: ['vino de rioja', 'bodega', 'cata de vinos'],
    rivals: ['Marqués del Ebro', 'Viña Alta', 'Bodega Oja', 'Cepa Vieja', 'Lagar', 'Peñaclara'],
  },
  {
    id: '9007199254743003',
    name: 'Café Quetzal',
    legalName: 'Cafetera Quetzal, S.A. de C.V.',
    slug: 'cafe-quetzal',
    site: 'cafequetzal.mx',
    sector: 'Hostelería',
    city: 'Ciudad de México',
    province: 'CDMX',
    country: 'MX',
    currency: 'MXN',
    status: 'pausado',
    since: at(-150),
    products: 26,
    level: 36,
    goods: ['café de especialidad', 'cafetería', 'suscripción de café'],
    rivals: ['Tostadores Unidos', 'La Parcela', 'Grano Fino', 'Chiapaneco', 'Barra Roma', 'Mokambo'],
  },
];

export const owners: readonly Owner[] = [account, ...clients];

export const engines = [
  { name: 'ChatGPT', key: 'chatgpt', model: 'gpt-5.1-mini' },
  { name: 'Gemini', key: 'gemini', model: 'gemini-3-pro' },
  { name: 'Perplexity', key: 'perplexity', model: 'sonar-4' },
  { name: 'Claude', key: 'claude', model: 'claude-opus-5' },
  { name: 'Copilot', key: 'copilot', model: 'prometheus-2026' },
] as const;

const wordings = [
  '¿Cuál es la mejor opción de # en @?',
  '¿Qué # recomiendas en @?',
  '# barato cerca de @',
  'Compara las marcas de # más conocidas',
  '¿Cuánto cuesta # en @?',
  'Opiniones sobre # en @',
  '¿Dónde comprar # por internet?',
  '# para principiantes: por dónde empezar',
  'Alternativas a la marca líder de #',
  '¿Es fiable pedir # a domicilio en @?',
];

/** Thirty of each owner. */
export function questionsOf(owner: Owner): string[] {
  return owner.goods.flatMap((good) =>
    wordings.map((wording) => wording.replace('#', good).replace('@', owner.city)),
  );
}

/** The official AI Rank of a day, 0 to 100. */
export function scoreOf(owner: Owner, day: number): number {
  const wave = 4 * Math.sin(day / 9 + owner.level);
  return round(
    within(2, 98, owner.level + wave + day * 0.02 + (chance('score', owner.slug, day) - 0.5) * 1.6),
  );
}

export function dimensionsOf(
  owner: Owner,
  day: number,
): Record<'presencia' | 'autoridad' | 'tono' | 'exactitud', number> {
  const near = (name: string) =>
    round(within(0, 100, scoreOf(owner, day) + (chance(name, owner.slug, day) - 0.5) * 24));
  return {
    presencia: near('presencia'),
    autoridad: near('autoridad'),
    tono: near('tono'),
    exactitud: near('exactitud'),
  };
}
