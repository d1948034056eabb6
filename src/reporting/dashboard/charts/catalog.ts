// Every chart, in the order in which its page shows them.
import { actionResults } from './action-results.ts';
import { actionStatus } from './action-status.ts';
import { actions } from './actions.ts';
import { benchmark } from './benchmark.ts';
import { changedPages } from './changed-pages.ts';
import type { Chart } from './chart.ts';
import { citationChanges } from './citation-changes.ts';
import { citedPageFigures } from './cited-page-figures.ts';
import { competitorAlerts } from './competitor-alerts.ts';
import { competitorClasses } from './competitor-classes.ts';
import { competitors } from './competitors.ts';
import { crawlBots } from './crawl-bots.ts';
import { crawlErrors } from './crawl-errors.ts';
import { demandPresence } from './demand-presence.ts';
import { experiments } from './experiments.ts';
import { mentionRate } from './mention-rate.ts';
import { perceptionAttributes } from './perception-attributes.ts';
import { perceptionClaims } from './perception-claims.ts';
import { portfolioFreshness } from './portfolio-freshness.ts';
import { portfolioMovers } from './portfolio-movers.ts';
import { portfolioTiles } from './portfolio-tiles.ts';
import { predictions } from './predictions.ts';
import { productPrices } from './product-prices.ts';
import { promptGaps } from './prompt-gaps.ts';
import { rankDimensions } from './rank-dimensions.ts';
import { rankFigures } from './rank-figures.ts';
import { rankTrend } from './rank-trend.ts';
import { revenue } from './revenue.ts';
import { sourceAuthority } from './source-authority.ts';
import { sourceGaps } from './source-gaps.ts';
import { surfaceMatrix } from './surface-matrix.ts';

export const charts: readonly Chart[] = [
  // Portfolio.
  portfolioTiles,
  portfolioMovers,
  portfolioFreshness,
  // Client.
  rankFigures,
  citedPageFigures,
  rankTrend,
  rankDimensions,
  actions,
  // Competition.
  competitorClasses,
  competitors,
  competitorAlerts,
  perceptionAttributes,
  perceptionClaims,
  // Questions.
  mentionRate,
  demandPresence,
  promptGaps,
  surfaceMatrix,
  // Sources.
  citationChanges,
  changedPages,
  sourceAuthority,
  sourceGaps,
  crawlBots,
  crawlErrors,
  // Business.
  revenue,
  productPrices,
  benchmark,
  actionStatus,
  actionResults,
  experiments,
  predictions,
];
