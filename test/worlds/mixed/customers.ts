// An agency with an office in Mexico City and one in Buenos Aires, and its five clients; the questions of the panel.
import { padded, pick } from './kit.ts';

interface Rival {
  readonly name: string;
  readonly domain: string;
}

export interface Customer {
  readonly code: string;
  readonly name: string;
  readonly legalName: string;
  readonly domain: string;
  readonly trade: string;
  readonly country: string;
  readonly city: string;
  readonly currency: string;
  /** Days from the first run date. */
  readonly since: number;
  readonly rank: number;
  readonly rivals: readonly Rival[];
  readonly goods: readonly string[];
  readonly themes: readonly string[];
}

const rival = (name: string, domain: string): Rival => ({ name, domain });

export const agency: Customer = {
  code: 'CTA-00001',
  name: 'Grupo Ceiba Digital',
  legalName: 'Ceiba Digital Latinoamérica S.A. de C.V.',
  domain: 'ceibadigital.mx',
  trade: 'Agencia de marketing',
  country: 'México',
  city: 'Ciudad de México',
  currency: 'MXN',
  since: -1400,
  rank: 47,
  rivals: [rival('Ocelote Media', 'ocelotemedia.mx'), rival('Pampa Growth', 'pampagrowth.com.ar')],
  goods: ['auditoría de visibilidad', 'plan de contenidos', 'taller de IA'],
  themes: ['precio', 'reportes', 'experiencia'],
};

export const customers: readonly Customer[] = [
  {
    code: 'CLI-00219',
    name: 'Mezcalería Tlacuache',
    legalName: 'Destilados del Tlacuache S.A. de C.V.',
    domain: 'tlacuache.mx',
    trade: 'Bebidas y licores',
    country: 'México',
    city: 'Oaxaca de Juárez',
    currency: 'MXN',
    since: -790,
    rank: 61,
    rivals: [
      rival('Mezcal Siete Cerros', 'sietecerros.com'),
      rival('Palenque Lunar', 'palenquelunar.mx'),
      rival('Agave Bravo', 'agavebravo.com'),
      rival('Casa Tobalá', 'casatobala.mx'),
    ],
    goods: ['mezcal espadín', 'mezcal tobalá', 'mezcal reposado', 'crema de mezcal', 'kit de cata'],
    themes: ['sabor', 'origen', 'regalo', 'precio'],
  },
  {
    code: 'CLI-00234',
    name: 'Yerba Ñandú',
    legalName: 'Ñandú Alimentos S.R.L.',
    domain: 'yerbanandu.com.ar',
    trade: 'Alimentos',
    country: 'Argentina',
    city: 'Rosario',
    currency: 'ARS',
    since: -612,
    rank: 54,
    rivals: [
      rival('Monte Colorado', 'montecolorado.com.ar'),
      rival('La Posadeña', 'laposadena.com.ar'),
      rival('Mate Sur', 'matesur.com'),
      rival('Don Isidro', 'yerbadonisidro.com.ar'),
    ],
    goods: [
      'yerba mate suave',
      'yerba mate orgánica',
      'mate de calabaza',
      'bombilla de alpaca',
      'yerba con hierbas',
    ],
    themes: ['suavidad', 'orgánico', 'polvo', 'precio'],
  },
  {
    code: 'CLI-00251',
    name: 'Dental Jacaranda',
    legalName: 'Servicios Odontológicos Jacaranda S.C.',
    domain: 'dentaljacaranda.mx',
    trade: 'Salud',
    country: 'México',
    city: 'Guadalajara',
    currency: 'MXN',
    since: -455,
    rank: 38,
    rivals: [
      rival('Sonrisa Tapatía', 'sonrisatapatia.com'),
      rival('OdontoMinerva', 'odontominerva.mx'),
      rival('Clínica Brackets', 'clinicabrackets.com.mx'),
      rival('Dentalia Chapala', 'dentaliachapala.mx'),
    ],
    goods: ['ortodoncia invisible', 'implante dental', 'limpieza dental', 'blanqueamiento', 'carillas'],
    themes: ['dolor', 'mensualidades', 'urgencias', 'confianza'],
  },
  {
    code: 'CLI-00268',
    name: 'Muebles Quebracho',
    legalName: 'Quebracho Carpintería S.A.',
    domain: 'quebracho.com.ar',
    trade: 'Hogar',
    country: 'Argentina',
    city: 'Córdoba',
    currency: 'ARS',
    since: -333,
    rank: 44,
    rivals: [
      rival('Algarrobo Vivo', 'algarrobovivo.com.ar'),
      rival('Casa Nogal', 'casanogal.com.ar'),
      rival('Maderas del Litoral', 'maderasdellitoral.com'),
      rival('Roble y Cía', 'robleycia.com.ar'),
    ],
    goods: [
      'mesa de comedor',
      'sillón de dos cuerpos',
      'biblioteca de madera',
      'escritorio',
      'banco de jardín',
    ],
    themes: ['madera maciza', 'plazos de entrega', 'diseño', 'cuotas'],
  },
  {
    code: 'CLI-00280',
    name: 'Bicis Chapulín',
    legalName: 'Chapulín Ciclos S. de R.L. de C.V.',
    domain: 'bicischapulin.mx',
    trade: 'Deportes',
    country: 'México',
    city: 'Puebla',
    currency: 'MXN',
    since: -128,
    rank: 29,
    rivals: [
      rival('Ruta Volcán', 'rutavolcan.mx'),
      rival('Pedal Norte', 'pedalnorte.com'),
      rival('Ciclos Anáhuac', 'ciclosanahuac.com.mx'),
      rival('Bike Angelópolis', 'bikeangelopolis.mx'),
    ],
    goods: ['bicicleta urbana', 'bicicleta de montaña', 'bicicleta eléctrica', 'casco', 'candado'],
    themes: ['autonomía', 'refacciones', 'garantía', 'meses sin intereses'],
  },
];

export const engines = ['ChatGPT', 'Gemini', 'Perplexity', 'Copilot', 'Claude'] as const;

interface Question {
  readonly id: string;
  readonly text: string;
  readonly group: string;
  readonly intent: string;
  readonly customer: Customer;
}

const patterns: readonly ((good: string, customer: Customer) => readonly [string, string, string])[] = [
  (good, { city }) => [`¿Dónde conviene comprar ${good} en ${city}?`, 'Dónde comprar', 'compra'],
  (good, { country }) => [
    `¿Cuál es la mejor opción de ${good} en ${country}?`,
    'Comparativas',
    'comparación',
  ],
  (good, { country }) => [`¿Cuánto cuesta ${good} en ${country}?`, 'Precios', 'información'],
];

export const questions: readonly Question[] = customers
  .flatMap((customer) => customer.goods.map((good) => ({ customer, good })))
  .flatMap(({ customer, good }) =>
    patterns.map((pattern) => {
      const [text, group, intent] = pattern(good, customer);
      return { text, group, intent, customer };
    }),
  )
  .map((question, index) => ({ id: `PQ-${padded(index + 1, 4)}`, ...question }));

const questionsOf = (customer: Customer): readonly Question[] => {
  const own = questions.filter((question) => question.customer === customer);
  return own.length === 0 ? questions.slice(0, 5) : own;
};

export const questionOf = (customer: Customer, ...seed: readonly (string | number)[]): Question =>
  pick(questionsOf(customer), customer.code, 'pregunta', ...seed);
