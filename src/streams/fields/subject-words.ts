// What the records of a stream are, in words that the names of their fields may hold: singular, no accents, Spanish
// and English.
import { nameWords } from './name-words.ts';

const words: Readonly<Record<string, string>> = {
  airank: 'airank rank medicion visibilidad visibility measurement',
  airank_history: 'airank rank medicion historia history punto point measurement',
  visibility: 'visibilidad visibility airank rank medicion measurement',
  visibility_history: 'visibilidad visibility airank rank medicion historia history punto point measurement',
  rank2: 'airank rank medicion visibility measurement',
  mediciones: 'medicion measurement airank run',
  clientes:
    'cliente client cl customer cuenta account empresa company organizacion organization org marca brand tenant',
  respuestas: 'respuesta answer response',
  citas: 'cita cite citation',
  acciones: 'accion action',
  actions: 'accion action',
  prompts: 'pregunta prompt question',
  prompt_gaps: 'hueco gap pregunta',
  prompt_clusters: 'cluster grupo group',
  fanouts: 'fanout busqueda search pregunta prompt question',
  sources: 'fuente source dominio domain',
  citations: 'cita citation url pagina page',
  competitors: 'competidor competitor rival',
  perception: 'percepcion perception atributo attribute trait',
  products: 'producto product articulo article',
  shopping: 'merchant comercio shopping tienda shop seller',
  crawl: 'rastreo crawl bot',
  revenue: 'ingreso revenue canal channel',
  benchmark: 'benchmark corte cut',
  experiments: 'experimento experiment',
  demand: 'demanda demand pregunta prompt question',
  bgpi: 'bgpi pregunta prompt question',
  triggers: 'disparador trigger disparo registro log entrada entry evento event',
  agent_memory: 'memoria memory entrada entry decision',
  agent_runs: 'run ejecucion execution',
  agent_os: 'agente agent',
  optimizer: 'version optimizacion optimization',
  prediccion: 'prediccion prediction forecast',
  prompt_research: 'investigacion research candidato candidate',
  surfaces: 'superficie surface',
};

const byStream: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(words).map(([stream, text]) => [stream, text.split(' ')]),
);

const everySubject: ReadonlySet<string> = new Set([...byStream.values()].flat());

/** Of a stream that the configuration adds: the words of its name. */
export function subjectWords(stream: string): readonly string[] {
  return byStream.get(stream) ?? nameWords(stream);
}

/** Whether the records of some stream are called so. */
export function isSubject(word: string): boolean {
  return everySubject.has(word);
}
