// The panel: its questions, their groups, and those where only rivals appear.

import { grouped, range } from '../kit.ts';
import { at, list, percent } from '../places.ts';
import type { Routes, Truth } from '../world.ts';
import { engines, type Firm, ofFirms, type Question, questionsOf, slugOf } from './firms.ts';
import { decimal, hex, isLikely, on, pick, some, whole, yesNo } from './kit.ts';

const labels = engines.map(([, label]) => label);

const prompt = (firm: Firm, { id, text, topic, intent }: Question, day: number) => ({
  promptId: id,
  clientNumber: firm.id,
  wording: text,
  normalisedHash: hex(10, id, 'hash'),
  live: yesNo(isLikely(0.9, id, 'live')),
  intentType: intent,
  locale: { language: 'en', market: firm.country },
  topic,
  performance: {
    presence: `${decimal(5, 80, 1, id, 'presence', day)}%`,
    averagePlacing: decimal(1.2, 6.5, 1, id, 'placing', day),
    answersSampled: whole(40, 60, id, 'sampled', day),
  },
  askedOfEngines: some(labels, 0.8, id, 'engines'),
  addedOn: on(-whole(30, 300, id, 'added')).spelled,
  panelWeight: decimal(0.5, 2, 2, id, 'weight'),
});

const cluster = (firm: Firm, topic: string, index: number, day: number) => {
  const members = questionsOf(firm).filter((question) => question.topic === topic);
  return {
    clusterId: `CL-${firm.id.slice(2)}-${index + 1}`,
    ownerClient: firm.id,
    label: topic,
    opportunityScore: decimal(15, 92, 1, firm.id, topic, 'opportunity', day),
    cohesion: decimal(0.6, 0.95, 2, firm.id, topic, 'cohesion'),
    presenceRate: decimal(0.05, 0.7, 3, firm.id, topic, 'presence', day),
    memberCount: members.length,
    prompts: members.map(({ id, text }) => ({ promptId: id, wording: text })),
    algorithm: 'hdbscan',
  };
};

const gap = (firm: Firm, { id, text }: Question, day: number) => ({
  gapRef: hex(10, id, 'gap'),
  clientRef: firm.id,
  promptWording: text,
  opportunity: { score: whole(20, 96, id, 'gap', day), maximum: 100 },
  priority: pick(['HIGH', 'MEDIUM', 'LOW'], id, 'priority'),
  rivalsPresent: some(firm.rivals, 0.5, id, 'rivals').map((name) => ({
    name,
    averagePlacing: decimal(1, 5, 1, id, name),
  })),
  engineCodes: some(
    engines.map(([code]) => code),
    0.5,
    id,
    'gap',
  ),
  firstSpottedOn: on(-whole(3, 120, id, 'spotted')).spelled,
  reviewDueOn: on(whole(10, 60, id, 'review')).spelled,
});

function fanout(firm: Firm, { id, text, topic }: Question, day: number) {
  const subQueries = range(1, whole(3, 8, id, 'searches', day)).map((at) => ({
    query: `${pick(['best', 'cheap', 'review of', 'where to buy', 'top rated'], id, at)} ${topic} ${2024 + (at % 3)}`,
    engine: pick(labels, id, 'engine', at),
    answeredBySite: isLikely(0.4, id, 'covered', at),
  }));
  const covered = subQueries.filter(({ answeredBySite }) => answeredBySite).length;
  return {
    promptId: id,
    prompt: text,
    clientNumber: firm.id,
    subQueries,
    keyTerms: some([...topic.split(' '), 'price', 'review', 'delivery', 'guarantee'], 0.6, id, 'terms'),
    siteCoverage: {
      subQueriesCovered: covered,
      subQueriesTotal: subQueries.length,
      proportion: Number((covered / subQueries.length).toFixed(2)),
      bestPage: covered === 0 ? null : `https://www.${firm.domain}/guides/${slugOf(topic)}`,
    },
    traceVersion: 3,
  };
}

function demand(firm: Firm, { id, text, topic }: Question, day: number) {
  const basis = pick(['OBSERVED', 'RELATIVE', 'ESTIMATED', 'PROXY'], id, 'basis');
  const isAvailable = isLikely(0.85, id, 'available');
  return {
    promptId: id,
    accountNumber: firm.id,
    canonicalPrompt: text.toLowerCase().replace('?', ''),
    clusterId: `CL-${firm.id.slice(2)}-${firm.topics.indexOf(topic) + 1}`,
    demandFigure: {
      quantity: isAvailable ? grouped(whole(10, 9000, id, 'demand', day)) : null,
      unit: basis === 'RELATIVE' ? 'INDEX_POINTS' : 'SEARCHES_PER_MONTH',
      basis,
      availability: isAvailable ? 'AVAILABLE' : 'NOT_AVAILABLE',
    },
    direction: pick(['RISING', 'STEADY', 'FALLING'], id, 'direction', day),
    panelSharePct: decimal(0.5, 8, 2, id, 'share'),
    seasonality: pick(['NONE', 'SUMMER', 'WINTER'], id, 'season'),
  };
}

function interest({ id, text }: Question, day: number) {
  const isSuppressed = isLikely(0.25, id, 'suppressed');
  return {
    promptId: id,
    wording: text,
    observations: {
      observedCount: isSuppressed ? null : whole(10, 600, id, 'observed', day),
      kThreshold: 10,
      suppressed: isSuppressed,
      window: 'P28D',
    },
    synthetic: yesNo(isLikely(0.3, id, 'synthetic')),
    searchInterest: whole(0, 100, id, 'interest', day),
    dataConfidence: pick(['HIGH', 'MODERATE', 'LOW'], id, 'confidence'),
    interestProvider: 'trends',
  };
}

const each = <T>(make: (firm: Firm, question: Question) => T): T[] =>
  ofFirms((firm) => questionsOf(firm).map((question) => make(firm, question)));

export const questionRoutes: Routes<Firm> = {
  prompts: ({ day }) => ({
    preguntas: each((firm, question) => prompt(firm, question, day)),
    panelEdition: '2026.2',
  }),
  'prompt-clusters': ({ day }) => ({
    clusters: ofFirms((firm) => firm.topics.map((topic, index) => cluster(firm, topic, index, day))),
    lastClusteredOn: on(-2).spelled,
  }),
  'prompt-gaps': ({ day }) => ({
    huecos: each((firm, question) => gap(firm, question, day)).filter((_, index) =>
      isLikely(0.55, 'gap', index, Math.floor((day + index) / 4)),
    ),
  }),
  fanouts: ({ day }) => ({ porPrompt: each((firm, question) => fanout(firm, question, day)) }),
  demand: ({ day }) => ({
    prompts: each((firm, question) => demand(firm, question, day)),
    coverage: { clustersWithDemand: 17, clustersTotal: 20 },
  }),
  bgpi: ({ day }) => ({
    prompts: each((_, question) => interest(question, day)),
    disclaimer: 'Search interest is relative and is not a count of prompts.',
  }),
};

export const questionTruth: Truth = {
  'prompts.client': at('clientNumber'),
  'prompts.id': at('promptId'),
  'prompts.question': at('wording'),
  'prompts.is_active': at('live'),
  'prompts.intent': at('intentType'),
  'prompts.language': at('locale.language'),
  'prompts.country': at('locale.market'),
  'prompts.presence': percent('performance.presence'),
  'prompts.mean_position': at('performance.averagePlacing'),
  'prompts.engines': list('askedOfEngines'),
  'prompt_clusters.client': at('ownerClient'),
  'prompt_clusters.id': at('clusterId'),
  'prompt_clusters.name': at('label'),
  'prompt_clusters.opportunity': at('opportunityScore'),
  'prompt_clusters.presence': at('presenceRate'),
  'prompt_clusters.questions': at('prompts'),
  'prompt_gaps.client': at('clientRef'),
  'prompt_gaps.question': at('promptWording'),
  'prompt_gaps.opportunity': at('opportunity.score'),
  'prompt_gaps.priority': at('priority'),
  'prompt_gaps.rivals': list('rivalsPresent', 'name'),
  'prompt_gaps.engines': list('engineCodes'),
  'prompt_gaps.detected': at('firstSpottedOn'),
  'fanouts.client': at('clientNumber'),
  'fanouts.id': at('promptId'),
  'fanouts.question': at('prompt'),
  'fanouts.searches': at('subQueries'),
  'fanouts.terms': list('keyTerms'),
  'fanouts.covered': at('siteCoverage.subQueriesCovered'),
  'fanouts.url': at('siteCoverage.bestPage'),
  'demand.client': at('accountNumber'),
  'demand.id': at('promptId'),
  'demand.question': at('canonicalPrompt'),
  'demand.cluster': at('clusterId'),
  'demand.value': at('demandFigure.quantity | point'),
  'demand.demand_type': at('demandFigure.basis'),
  'demand.unit': at('demandFigure.unit'),
  'demand.trend': at('direction'),
  'demand.value_status': at('demandFigure.availability'),
  'bgpi.id': at('promptId'),
  'bgpi.question': at('wording'),
  'bgpi.period': at('observations.window'),
  'bgpi.observed': at('observations.observedCount'),
  'bgpi.cohort': at('observations.kThreshold'),
  'bgpi.is_suppressed': at('observations.suppressed'),
  'bgpi.is_generated': at('synthetic'),
  'bgpi.interest': at('searchInterest'),
  'bgpi.confidence': at('dataConfidence'),
};
