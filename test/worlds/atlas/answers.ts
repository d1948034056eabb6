// What the engines answered and cited, which surfaces they showed, and the research into new questions.

import { range } from '../kit.ts';
import { at, dayFirst } from '../places.ts';
import type { Routes, Truth } from '../world.ts';
import { measurementId } from './archives.ts';
import { engines, type Firm, firms, ofFirms, type Question, questionsOf, slugOf } from './firms.ts';
import { decimal, guid, isLikely, on, pick, whole, yesNo } from './kit.ts';

const datesBefore = (day: number): number[] => [-7, ...range(0, day)];

const answerId = (question: Question, day: number): string => guid(question.id, 'answer', day);

function answer(firm: Firm, question: Question, day: number, isFull: boolean) {
  const [, engine, model] = pick(engines, question.id, 'engine', day);
  const isMentioned = isLikely(0.55, question.id, 'mentioned', day);
  const text = isMentioned
    ? `For a ${question.topic} many people like ${firm.name}, and ${firm.rivals[0]} is a close second.`
    : `For a ${question.topic} look at ${firm.rivals[0]} or ${firm.rivals[1]}, both well reviewed.`;
  return {
    answerId: answerId(question, day),
    measurementId: measurementId(firm, day),
    clientNumber: firm.id,
    answeredAt: on(day, whole(-170, 170, question.id, 'minute', day)).local,
    ingestedAt: on(day, 240).local,
    engineName: engine,
    modelName: model,
    prompt: question.text,
    brand: {
      mentioned: yesNo(isMentioned),
      placing: isMentioned ? whole(1, 6, question.id, 'placing', day) : null,
      tone: isMentioned ? pick(['POSITIVE', 'NEUTRAL', 'NEGATIVE'], question.id, 'tone', day) : null,
    },
    leadingRival: { name: firm.rivals[0], placing: whole(1, 4, question.id, 'rival', day) },
    responseText: isFull ? text : `${text.slice(0, 40)}…`,
    tokenCount: whole(180, 900, question.id, 'tokens', day),
    latencyMs: whole(900, 9000, question.id, 'latency', day),
  };
}

const publishers = ['which.co.uk', 'theguardian.com', 'reddit.com', 'globeandmail.com', 'trustpilot.com'];

function citation(firm: Firm, question: Question, day: number) {
  const isOwn = isLikely(0.3, question.id, 'own', day);
  const host = isOwn ? firm.domain : pick(publishers, question.id, 'host', day);
  const [code, label] = pick(engines, question.id, 'engine', day);
  return {
    citationId: guid(question.id, 'citation', day),
    answerId: answerId(question, day),
    occurredAt: on(day, whole(-160, 160, question.id, 'cited', day)).utc,
    engine: { code, label },
    promptText: question.text,
    targetUrl: `https://www.${host}/${slugOf(question.topic)}-${question.id % 7}`,
    targetHost: host,
    anchorText: pick(['source', 'read more', question.topic], question.id, 'anchor', day),
    clientProperty: isOwn,
    ordinal: whole(1, 9, question.id, 'ordinal', day),
    httpStatusCode: 200,
    _embedded: { client: { clientNumber: firm.id, tradingName: firm.name } },
  };
}

const shown = (...words: (string | number)[]): string => (isLikely(0.5, ...words) ? 'YES' : 'NO');

function surface(question: Question, code: string, label: string, day: number) {
  const words = [question.id, code, Math.floor((day + question.id) / 3)] as const;
  return {
    engine: label,
    prompt: question.text,
    surfaces: {
      answerText: 'YES',
      sourceList: shown(...words, 'sources'),
      adverts: code === 'CHATGPT' || code === 'CLAUDE' ? 'NOT_AVAILABLE' : shown(...words, 'ads'),
      mapPack: code === 'GEMINI' ? shown(...words, 'map') : 'NOT_AVAILABLE',
      shoppingCarousel: code === 'CLAUDE' ? 'NOT_AVAILABLE' : shown(...words, 'shopping'),
    },
    screenshotCount: whole(0, 2, ...words),
  };
}

function candidate(firm: Firm, question: Question, day: number) {
  const isAvailable = isLikely(0.8, question.id, 'research');
  return {
    phrase: question.text.toLowerCase().replace('?', ''),
    intentType: question.intent,
    opportunityScore: whole(10, 95, question.id, 'candidate', day),
    noveltyScore: whole(10, 95, question.id, 'novelty'),
    demandFigure: {
      quantity: isAvailable ? whole(20, 4000, question.id, 'volume') : null,
      basis: pick(['OBSERVED', 'ESTIMATED', 'PROXY'], question.id, 'research basis'),
      availability: isAvailable ? 'AVAILABLE' : 'NOT_AVAILABLE',
    },
    discoveredVia: pick(['AUTOCOMPLETE', 'FORUM', 'SEARCH_CONSOLE'], question.id, 'via'),
    variantCount: whole(1, 14, question.id, 'variants'),
    similarity: decimal(0.5, 0.99, 2, firm.id, question.id, 'similar'),
  };
}

const firstQuestions = (count: number): [Firm, Question][] =>
  firms.flatMap((firm) =>
    questionsOf(firm)
      .slice(0, count)
      .map((question): [Firm, Question] => [firm, question]),
  );

export const answerRoutes: Routes<Firm> = {
  respuestas: ({ query, day }) => {
    const content = datesBefore(day).flatMap((date) =>
      ofFirms((firm) =>
        questionsOf(firm)
          .slice(0, 16)
          .map((question) => answer(firm, question, date, query.get('texto') === '1')),
      ),
    );
    return { content, totalElements: content.length, sort: { sorted: true, property: 'answeredAt' } };
  },
  citas: ({ day }) =>
    datesBefore(day).flatMap((date) =>
      firstQuestions(15).map(([firm, question]) => citation(firm, question, date)),
    ),
  surfaces: ({ day }) => ({
    capturedOn: on(day).dayFirst,
    engineVersions: { ChatGPT: '5.1', Gemini: '3', Perplexity: '2026-04' },
    grid: firstQuestions(4).flatMap(([, question]) =>
      engines.map(([code, label]) => surface(question, code, label, day)),
    ),
  }),
  'prompt-research': ({ day }) => ({
    researchId: `RES-${20_260_400 + Math.floor(day / 2)}`,
    state: 'COMPLETED',
    startedOn: on(Math.floor(day / 2) * 2 - 4).dayFirst,
    completedOn: on(Math.floor(day / 2) * 2 - 3).dayFirst,
    seedTopics: firms.flatMap(({ topics }) => topics.slice(0, 1)),
    candidates: firstQuestions(10).map(([firm, question]) => candidate(firm, question, day)),
  }),
};

export const answerTruth: Truth = {
  'answers.client': at('clientNumber'),
  'answers.id': at('answerId'),
  'answers.measurement_id': at('measurementId'),
  'answers.answered_at': at('answeredAt'),
  'answers.date': at('answeredAt'),
  'answers.engine': at('engineName'),
  'answers.model': at('modelName'),
  'answers.question': at('prompt'),
  'answers.is_mentioned': at('brand.mentioned'),
  'answers.position': at('brand.placing'),
  'answers.sentiment': at('brand.tone'),
  'answers.answer': at('responseText'),
  'citas.client': at('_embedded.client.clientNumber'),
  'citas.id': at('citationId'),
  'citas.answer_id': at('answerId'),
  'citas.date': at('occurredAt'),
  'citas.cited_at': at('occurredAt'),
  'citas.engine': at('engine.label', 'engine.code', 'engine'),
  'citas.question': at('promptText'),
  'citas.url': at('targetUrl'),
  'citas.domain': at('targetHost'),
  'citas.is_own': at('clientProperty'),
  'citas.position': at('ordinal'),
  'surfaces.(rows)': at('grid'),
  'surfaces.engine': at('engine'),
  'surfaces.question': at('prompt'),
  'surfaces.as_of': at('^capturedOn | dmy'),
  'surfaces.text': at('surfaces.answerText'),
  'surfaces.sources': at('surfaces.sourceList'),
  'surfaces.ads': at('surfaces.adverts'),
  'surfaces.maps': at('surfaces.mapPack'),
  'surfaces.shopping': at('surfaces.shoppingCarousel'),
  'research.(rows)': at('candidates'),
  'research.candidate': at('phrase'),
  'research.intent': at('intentType'),
  'research.opportunity': at('opportunityScore'),
  'research.demand': at('demandFigure.quantity'),
  'research.demand_type': at('demandFigure.basis'),
  'research.demand_status': at('demandFigure.availability'),
  'research.source': at('discoveredVia'),
  'research.variants': at('variantCount'),
  'research.research_id': at('^researchId'),
  'research.status': at('^state'),
  'research.started': dayFirst('^startedOn'),
  'research.finished': dayFirst('^completedOn'),
};
