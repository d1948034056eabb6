// Says what identifies the records of a world, by whoever wrote it, and how many of them its second date lacks.
import type { World } from './table.ts';
import { englishWorld, spanishWorld } from './worlds.ts';

interface KnownRecords {
  readonly clients: number;
  /** Fields that identify the records of a stream, where anything does. */
  readonly recordKeys: Readonly<Record<string, string>>;
  /** Streams without an identifier: all that changes in them is gone and new. */
  readonly byContent: readonly string[];
  /** Records of the others that the second date really lacks. */
  readonly vanished: Readonly<Record<string, number>>;
}

const english: KnownRecords = {
  clients: 6,
  recordKeys: {
    acciones: 'ref',
    actions: 'id',
    agent_memory: 'memoryId',
    agent_runs: 'run_id',
    airank_history: 'pointId',
    benchmark: 'segment and brandName',
    bgpi: 'promptId',
    citas: 'cite_id',
    citations: 'pageId',
    clientes: 'accountId',
    competitors: 'competitorId',
    crawl: 'site and agent',
    demand: 'promptRef',
    experiments: 'expId',
    fanouts: 'prompt.id',
    mediciones: 'id',
    optimizer: 'versionId',
    perception: 'traitKey',
    products: 'productId',
    prompt_clusters: 'slug',
    prompt_gaps: 'dedupeKey',
    prompts: 'pid',
    respuestas: 'answer_uid',
    revenue: 'source and curr and customer.name',
    shopping: 'seller',
    sources: 'host',
    triggers: 'entryId',
  },
  byContent: ['visibility_history'],
  vanished: { citations: 6, prompt_gaps: 1 },
};

const spanish: KnownRecords = {
  clients: 5,
  recordKeys: {
    acciones: 'id',
    actions: 'ref',
    agent_memory: 'num_entrada',
    agent_runs: 'run_id',
    airank_history: 'ref',
    bgpi: 'pregunta_ref',
    citas: 'num',
    citations: 'enlace',
    clientes: 'cod_cliente',
    competitors: 'id_rel',
    crawl: 'robot and sitio',
    demand: 'ref_preg',
    experiments: 'codigo',
    fanouts: 'pregunta_id',
    mediciones: 'num_medicion',
    optimizer: 'vers',
    perception: 'ref',
    products: 'ean',
    prompt_clusters: 'clave',
    prompts: 'id_preg',
    respuestas: 'id_resp',
    revenue: 'via and dispositivo and id_cli',
    shopping: 'comercio',
    sources: 'host',
    triggers: 'id_salto',
  },
  byContent: ['benchmark', 'prompt_gaps', 'visibility_history'],
  vanished: {},
};

export const knownRecords: ReadonlyMap<World, KnownRecords> = new Map([
  [englishWorld, english],
  [spanishWorld, spanish],
]);
