// Every chart, in the order in which its page shows them.
import * as business from './business.ts';
import type { Chart } from './chart.ts';
import * as client from './client.ts';
import * as portfolio from './portfolio.ts';
import * as questions from './questions.ts';
import * as sources from './sources.ts';

export const charts: readonly Chart[] = [
  portfolio.ranks,
  portfolio.accountAlerts,
  portfolio.standings,
  client.standing,
  client.mentionRate,
  client.voice,
  client.rankTrend,
  client.rankDimensions,
  client.competitorAlerts,
  questions.questionLists,
  questions.questions,
  questions.answers,
  questions.surfaces,
  questions.attributes,
  questions.claims,
  sources.sources,
  sources.citedPages,
  sources.changedPages,
  business.revenue,
  business.actions,
  business.experiments,
  business.crawl,
  business.crawlerVisits,
  business.productPrices,
];
