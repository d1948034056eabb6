// The words of the world in the service's own Spanish: engines, sectors, places, questions.

export interface Sector {
  readonly name: string;
  readonly kind: string;
  readonly topics: readonly string[];
  readonly goods: readonly string[];
  readonly rivals: readonly string[];
}

/** Four lines each: name and kind, topics, goods, rivals. */
const [agency, ...others] = `
marketing y comunicación · servicio
agencia SEO · visibilidad en IA · campañas en redes · diseño web · analítica
Auditoría de visibilidad · Plan trimestral · Taller de contenidos · Informe mensual · Consultoría
Estudio Brújula · Agencia Tándem · Palanca Digital · Norte Creativo · Ágora Media · Rótulo

salud dental · local
implantes dentales · ortodoncia invisible · blanqueamiento · urgencias dentales · odontopediatría
Férula nocturna · Kit de blanqueamiento · Cepillo sónico · Alineador mensual · Irrigador
Sonrisa Norte · Dentalia Plus · Clínica Marfil · Esmalte & Co · OrtoLínea · Dr. Núñez Dental

vinos y bodegas · comercio
vino tinto de crianza · albariño · enoturismo · vinos ecológicos · regalos con vino
Crianza 2021 · Albariño «Niebla» · Estuche de cata · Reserva 2017 · Vermú de la casa
Bodegas Peñalba · Viña Áurea · Casa Otoño · Lagar del Sur · Tinta Fina · Cepas de Mar

moda sostenible · comercio
camisetas de algodón orgánico · zapatillas veganas · vaqueros reciclados · abrigos · ropa de bebé
Camiseta Lino · Zapatilla Ría · Vaquero Río · Abrigo Cierzo · Bufanda Ñandú
Hilo Verde · Trama · Otra Piel · Algodonal · Costura Clara · Ecolana

software de gestión · saas
facturación electrónica · control horario · CRM para pymes · nóminas · gestión de inventario
Plan Básico · Plan Equipo · Plan Empresa · Módulo Nóminas · Módulo TPV
Contaplán · Gestoría Cloud · Nómina Ágil · FacturaYa · Órbita ERP · Tactil

hoteles y turismo · local
hotel con encanto · escapada rural · hotel con spa · alojamiento con niños · cenas con vistas
Noche doble · Suite con terraza · Bono spa · Desayuno bufé · Escapada romántica
Posada del Río · Hotel Mirador · Casa Tilo · Gran Bahía · El Olivar · Alto Faro

formación e idiomas · servicio
clases de inglés · preparar el B2 · cursos para empresas · alemán desde cero · campamentos de verano
Curso B2 intensivo · Bono 10 clases · Inmersión en Irlanda · Test de nivel · Curso de alemán A1
Lingua Viva · Aula Azul · Babel 21 · Speak Ñ · Academia Cénit · Polyglot Center
`
  .trim()
  .split('\n\n')
  .map((text): Sector => {
    const [[name = '', kind = ''] = [], topics = [], goods = [], rivals = []] = text
      .split('\n')
      .map((line) => line.split(' · '));
    return { name, kind, topics, goods, rivals };
  });

export const sectors: readonly Sector[] = others;
export const agencySector: Sector = agency as Sector;

export const engines = ['chatgpt', 'gemini', 'perplexity', 'claude', 'copilot', 'ai_overviews'] as const;

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

export const mediaDomains: readonly string[] = (
  'guia-consumo elcomparador foro-abierto wiki diariolocal revista-tendencias resenas videoteca opinionreal ' +
  'mapa-negocios blog-experto asociacion-sectorial'
)
  .split(' ')
  .map((name) => `${name}.example`);

export const intents = ['informativa', 'comparativa', 'transaccional', 'local', 'navegacional'] as const;
