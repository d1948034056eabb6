// Every read route as data: its list key, whose data it reads, and who computes it
// (api.md, "Basic routes" and api.md, "Intelligence routes").
import type { JsonObject, Records } from './json-literal.ts';
import * as account from './world/account.ts';
import * as agent from './world/agent.ts';
import * as airank from './world/airank.ts';
import * as archives from './world/archives.ts';
import * as commerce from './world/commerce.ts';
import * as competition from './world/competition.ts';
import * as crawl from './world/crawl.ts';
import * as demand from './world/demand.ts';
import * as experiments from './world/experiments.ts';
import { rankScore } from './world/figures.ts';
import * as outlook from './world/outlook.ts';
import * as questions from './world/questions.ts';
import { dateOf, type Scope } from './world/scope.ts';
import * as sources from './world/sources.ts';

/** The answer to a question, with what it is based on. */
function answerQuestion(scope: Scope, question: string): JsonObject {
  const { brand, today } = scope;
  const now = rankScore(scope, brand, 'v2', today);
  const before = rankScore(scope, brand, 'v2', today - 28);
  const direction = now >= before ? 'sube' : 'baja';
  return {
    pregunta: question,
    respuesta: `El AI Rank de ${brand.name} es ${now.toFixed(1)} y ${direction} ${Math.abs(now - before).toFixed(1)} puntos en 28 días. 📈`,
    basadoEn: [
      { ruta: 'airank', fecha: dateOf(today) },
      { ruta: 'visibility/history', desde: dateOf(today - 28), hasta: dateOf(today) },
    ],
    fecha: dateOf(today),
  };
}

export interface ListRoute {
  readonly kind: 'list';
  readonly route: string;
  readonly list: string;
  readonly perClient: boolean;
  readonly listing: (scope: Scope, withText: boolean) => Records;
  readonly rest?: (scope: Scope) => JsonObject;
  /** The records as `format=csv` too. */
  readonly csv?: boolean;
  /** The list differs with `texto=1`. */
  readonly text?: boolean;
  /** The body for `id`; undefined when there is no such record. */
  readonly detail?: (scope: Scope, id: string) => JsonObject | undefined;
}

interface SingleRoute {
  readonly kind: 'single';
  readonly route: string;
  readonly perClient: boolean;
  readonly body: (scope: Scope) => JsonObject;
}

/** `ask`: one body for each question. */
interface QuestionRoute {
  readonly kind: 'question';
  readonly route: string;
  readonly perClient: false;
  readonly answer: (scope: Scope, question: string) => JsonObject;
}

export type Route = ListRoute | SingleRoute | QuestionRoute;

type Listed = ListRoute['listing'];
type Rest = ListRoute['rest'];

function list(
  route: string,
  key: string,
  listing: Listed,
  rest?: Rest,
  more: Partial<ListRoute> = {},
): ListRoute {
  return { kind: 'list', route, list: key, perClient: false, listing, ...(rest ? { rest } : {}), ...more };
}

function single(route: string, body: SingleRoute['body'], perClient = false): SingleRoute {
  return { kind: 'single', route, perClient, body };
}

export const routes: readonly Route[] = [
  single('airank', airank.latestRank, true),
  list('airank/history', 'historial', airank.rankHistory, undefined, { csv: true }),
  list('clientes', 'clientes', account.clients),
  list('mediciones', 'mediciones', archives.measurements),
  list('respuestas', 'respuestas', archives.answers, undefined, { text: true }),
  list('acciones', 'acciones', account.accountActions),
  list('citas', 'citas', archives.citations),
  single('visibility', airank.visibility, true),
  list('visibility/history', 'puntos', airank.visibilityHistory, undefined, {
    perClient: true,
  }),
  single('rank2', outlook.rank2, true),
  single('prediccion', outlook.prediction),
  list('prompts', 'preguntas', questions.prompts),
  list('prompt-clusters', 'clusters', questions.promptClusters),
  list('prompt-gaps', 'huecos', questions.promptGaps),
  list('fanouts', 'porPrompt', questions.fanouts, questions.fanoutsRest),
  list('sources', 'dominios', sources.sources, sources.sourcesRest),
  list('citations', 'urls', sources.citedPages),
  list('competitors', 'competidores', competition.competitors, competition.competitorsRest),
  list('perception', 'atributos', competition.perception, competition.perceptionRest),
  list('products', 'productos', commerce.products, commerce.productsRest, { perClient: true }),
  list('shopping', 'merchants', commerce.shopping, commerce.shoppingRest),
  list('crawl', 'salud', crawl.crawl, crawl.crawlRest),
  list('revenue', 'porCanal', commerce.revenue, commerce.revenueRest),
  list('benchmark', 'cortes', competition.benchmark, competition.benchmarkRest),
  list('experiments', 'experimentos', experiments.experiments, experiments.experimentsRest),
  list('demand', 'prompts', demand.demand, demand.demandRest),
  list('bgpi', 'prompts', demand.promptIntelligence),
  single('surfaces', crawl.surfaces),
  list('actions', 'acciones', account.actionCentre),
  list('triggers', 'registros', agent.triggerLog, agent.triggersRest),
  list('agent/memory', 'entradas', agent.agentMemory),
  single('agent/os', agent.agentState),
  list('agent/runs', 'runs', agent.agentRuns, undefined, { detail: agent.agentRunTrace }),
  list('optimizer', 'versiones', experiments.optimizer, experiments.optimizerRest),
  single('prompt-research', questions.promptResearch),
  { kind: 'question', route: 'ask', perClient: false, answer: answerQuestion },
];
