// The words of the world: engines, sectors, places, questions. In the service's own Spanish.

export interface Sector {
  readonly name: string;
  readonly kind: string;
  readonly topics: readonly string[];
  readonly goods: readonly string[];
  readonly rivals: readonly string[];
}

export const engines = ['chatgpt', 'gemini', 'perplexity', 'claude', 'copilot', 'ai_overviews'] as const;

export const sectors: readonly Sector[] = [
  {
    name: 'salud dental',
    kind: 'local',
    topics: [
      'implantes dentales',
      'ortodoncia invisible',
      'blanqueamiento',
      'urgencias dentales',
      'odontopediatría',
    ],
    goods: ['Férula nocturna', 'Kit de blanqueamiento', 'Cepillo sónico', 'Alineador mensual', 'Irrigador'],
    rivals: [
      'Sonrisa Norte',
      'Dentalia Plus',
      'Clínica Marfil',
      'Esmalte & Co',
      'OrtoLínea',
      'Dr. Núñez Dental',
    ],
  },
  {
    name: 'vinos y bodegas',
    kind: 'comercio',
    topics: ['vino tinto de crianza', 'albariño', 'enoturismo', 'vinos ecológicos', 'regalos con vino'],
    goods: ['Crianza 2021', 'Albariño «Niebla»', 'Estuche de cata', 'Reserva 2017', 'Vermú de la casa'],
    rivals: ['Bodegas Peñalba', 'Viña Áurea', 'Casa Otoño', 'Lagar del Sur', 'Tinta Fina', 'Cepas de Mar'],
  },
  {
    name: 'moda sostenible',
    kind: 'comercio',
    topics: [
      'camisetas de algodón orgánico',
      'zapatillas veganas',
      'vaqueros reciclados',
      'abrigos',
      'ropa de bebé',
    ],
    goods: ['Camiseta Lino', 'Zapatilla Ría', 'Vaquero Río', 'Abrigo Cierzo', 'Bufanda Ñandú'],
    rivals: ['Hilo Verde', 'Trama', 'Otra Piel', 'Algodonal', 'Costura Clara', 'Ecolana'],
  },
  {
    name: 'software de gestión',
    kind: 'saas',
    topics: [
      'facturación electrónica',
      'control horario',
      'CRM para pymes',
      'nóminas',
      'gestión de inventario',
    ],
    goods: ['Plan Básico', 'Plan Equipo', 'Plan Empresa', 'Módulo Nóminas', 'Módulo TPV'],
    rivals: ['Contaplán', 'Gestoría Cloud', 'Nómina Ágil', 'FacturaYa', 'Órbita ERP', 'Tactil'],
  },
  {
    name: 'hoteles y turismo',
    kind: 'local',
    topics: [
      'hotel con encanto',
      'escapada rural',
      'hotel con spa',
      'alojamiento con niños',
      'cenas con vistas',
    ],
    goods: ['Noche doble', 'Suite con terraza', 'Bono spa', 'Desayuno bufé', 'Escapada romántica'],
    rivals: ['Posada del Río', 'Hotel Mirador', 'Casa Tilo', 'Gran Bahía', 'El Olivar', 'Alto Faro'],
  },
  {
    name: 'formación e idiomas',
    kind: 'servicio',
    topics: [
      'clases de inglés',
      'preparar el B2',
      'cursos para empresas',
      'alemán desde cero',
      'campamentos de verano',
    ],
    goods: [
      'Curso B2 intensivo',
      'Bono 10 clases',
      'Inmersión en Irlanda',
      'Test de nivel',
      'Curso de alemán A1',
    ],
    rivals: ['Lingua Viva', 'Aula Azul', 'Babel 21', 'Speak Ñ', 'Academia Cénit', 'Polyglot Center'],
  },
];

export const agencySector: Sector = {
  name: 'marketing y comunicación',
  kind: 'servicio',
  topics: ['agencia SEO', 'visibilidad en IA', 'campañas en redes', 'diseño web', 'analítica'],
  goods: [
    'Auditoría de visibilidad',
    'Plan trimestral',
    'Taller de contenidos',
    'Informe mensual',
    'Consultoría',
  ],
  rivals: ['Estudio Brújula', 'Agencia Tándem', 'Palanca Digital', 'Norte Creativo', 'Ágora Media', 'Rótulo'],
};

export interface Place {
  readonly city: string;
  readonly country: string;
  readonly currency: string;
}

export const places: readonly Place[] = [
  { city: 'Vigo', country: 'ES', currency: 'EUR' },
  { city: 'Logroño', country: 'ES', currency: 'EUR' },
  { city: 'Ciudad de México', country: 'MX', currency: 'MXN' },
  { city: 'Málaga', country: 'ES', currency: 'EUR' },
  { city: 'Bogotá', country: 'CO', currency: 'COP' },
  { city: 'Lisboa', country: 'PT', currency: 'EUR' },
  { city: 'A Coruña', country: 'ES', currency: 'EUR' },
  { city: 'Córdoba', country: 'AR', currency: 'ARS' },
];

export const questionForms: readonly ((topic: string, city: string) => string)[] = [
  (topic, city) => `¿Cuál es la mejor opción de ${topic} en ${city}?`,
  (topic) => `¿Qué marcas recomiendas para ${topic}?`,
  (topic, city) => `${topic} en ${city}: opiniones y precios`,
  (topic) => `Compara tres alternativas de ${topic}`,
  (topic, city) => `¿Dónde encuentro ${topic} cerca de ${city}?`,
  (topic) => `¿Merece la pena pagar más por ${topic}?`,
  (topic, city) => `Empresas de confianza de ${topic} en ${city}`,
  (topic) => `¿Qué debo mirar antes de elegir ${topic}?`,
  (topic) => `${topic} con buena relación calidad-precio`,
  (topic) => `¿Qué opinan los clientes sobre ${topic}?`,
];

export const mediaDomains: readonly string[] = [
  'guia-consumo.example',
  'elcomparador.example',
  'foro-abierto.example',
  'wiki.example',
  'diariolocal.example',
  'revista-tendencias.example',
  'resenas.example',
  'videoteca.example',
  'opinionreal.example',
  'mapa-negocios.example',
  'blog-experto.example',
  'asociacion-sectorial.example',
];

export const intents = ['informativa', 'comparativa', 'transaccional', 'local', 'navegacional'] as const;
