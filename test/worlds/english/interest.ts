// What people want to know: `demand`, `bgpi`, `surfaces`, `prompt-research`.

import { range } from '../kit.ts';
import type { Ask, Routes, Truth } from '../world.ts';
import { agency, clients, type Firm, questionsOf } from './firms.ts';
import { decimal, isLikely, on, pick, uuid, whole } from './kit.ts';

export const interestRoutes: Routes<Firm> = {
  demand,
  bgpi,
  surfaces,
  'prompt-research': research,
};

const bases = ['observed', 'relative', 'estimated', 'proxy'] as const;

function demand({ day }: Ask<Firm>): unknown {
  return {
    prompts: clients
      .flatMap((firm) => questionsOf(firm, 6))
      .map(({ id, text, topic, firm }) => {
        const basis = pick(bases, 'basis', id);
        const isKnown = isLikely(0.7, 'known', id);
        const top = basis === 'relative' ? 100 : 900;
        return {
          promptRef: id,
          canonical: `${text.charAt(0).toUpperCase()}${text.slice(1)}?`,
          theme: topic,
          acct: firm.id,
          demandBasis: basis,
          reading: isKnown
            ? whole(3, top, 'reading', id) + (basis === 'relative' ? 0 : day)
            : 'not_available',
          siteCoverage: decimal(0, 1, 2, 'coverage', id),
          wordCount: text.split(' ').length,
        };
      }),
    provider: { name: 'KeywordDeck', connected: 'yes' },
  };
}

function bgpi({ day }: Ask<Firm>): unknown {
  return {
    prompts: clients
      .flatMap((firm) => questionsOf(firm, 4))
      .map(({ id, text }) => {
        const cohort = whole(2, 160, 'cohort', id) + day;
        const isHidden = cohort < 20;
        return {
          promptId: id,
          wording: text,
          timesAsked: isHidden ? null : whole(20, 800, 'timesAsked', id),
          kAnonymity: cohort,
          suppressed: isHidden ? 'Y' : 'N',
          synthetic: isLikely(0.3, 'synthetic', id) ? 'Y' : 'N',
          searchTrendIndex: whole(0, 100, 'trend', id, day),
          embeddingVersion: 5,
        };
      }),
    disclaimer: 'Relative search interest is not a volume.',
  };
}

/** An engine is the key of its entry. */
function surfaces({ day }: Ask<Firm>): unknown {
  const [question] = questionsOf(agency, 1);
  const shown = {
    chatgpt: ['yes', 'yes', 'no', 'yes'],
    gemini: ['yes', 'yes', 'yes', 'yes'],
    perplexity: ['yes', 'yes', 'no', 'yes'],
    claude: ['yes', day > 1 ? 'yes' : 'no', 'not available', 'not available'],
    copilot: ['yes', 'yes', 'yes', 'no'],
    grok: ['no', 'no', 'not available', 'not available'],
  };
  return {
    probedAt: on(day, 5).utc,
    locale: 'en-US',
    engines: Object.fromEntries(
      Object.entries(shown).map(([engine, [text, links, ads, shop]]) => [
        engine,
        {
          askedQuestion: question?.text,
          blocks: { answerText: text, sourceLinks: links, sponsored: ads, productCards: shop },
          apiVersion: pick(['v1', 'v3', '2026-01'], engine),
          probes: whole(3, 12, 'probes', engine),
        },
      ]),
    ),
  };
}

/** Ideas in batches. */
function research({ day }: Ask<Firm>): unknown {
  // The next one begins on the third day.
  const isDone = day < 2;
  return {
    job: {
      id: uuid('research', isDone ? 1 : 2),
      state: isDone ? 'finished' : 'running',
      wrappedUp: isDone ? on(-1, 200).local : null,
      requestedBy: 'dana',
      budgetUsd: '$4.00',
    },
    batches: clients.map((firm, at) => ({
      batch: at + 1,
      seed: firm.topics[0],
      ideas: range(1, isDone ? 14 : 9).map((number) => idea(firm.topics, firm.slug, number)),
    })),
  };
}

function idea(topics: readonly string[], slug: string, number: number): unknown {
  const seed = ['idea', slug, number] as const;
  const topic = pick(topics, ...seed).toLowerCase();
  const isKnown = isLikely(0.6, 'known', ...seed);
  return {
    normalizedPrompt: `${topic} ${pick(['for families', 'on a budget', 'for small homes', 'that lasts'], ...seed)} (${number})`,
    intentClass: pick(['commercial', 'informational', 'transactional'], 'class', ...seed),
    upsideScore: decimal(5, 97, 1, 'upside', ...seed),
    volume: {
      estimate: isKnown ? whole(10, 4000, 'volume', ...seed) : 'not_available',
      basis: pick(['estimated', 'proxy'], 'basis', ...seed),
    },
    noveltyScore: decimal(0, 1, 2, 'novelty', ...seed),
  };
}

export const interestTruth: Truth = {
  'demand.client': { paths: ['acct'] },
  'demand.id': { paths: ['promptRef'] },
  'demand.question': { paths: ['canonical'] },
  'demand.cluster': { paths: ['theme'] },
  'demand.value': { paths: ['reading'] },
  'demand.value_text': { paths: ['reading'] },
  'demand.demand_type': { paths: ['demandBasis'] },
  'bgpi.id': { paths: ['promptId'] },
  'bgpi.question': { paths: ['wording'] },
  'bgpi.observed': { paths: ['timesAsked'] },
  'bgpi.cohort': { paths: ['kAnonymity'] },
  'bgpi.is_suppressed': { paths: ['suppressed'] },
  'bgpi.is_generated': { paths: ['synthetic'] },
  'bgpi.interest': { paths: ['searchTrendIndex'] },
  'surfaces.(rows)': { paths: ['engines.*'] },
  'surfaces.engine': { paths: ['@key'] },
  'surfaces.question': { paths: ['askedQuestion'] },
  'surfaces.as_of': { paths: ['^probedAt'] },
  'surfaces.text': { paths: ['blocks.answerText'] },
  'surfaces.sources': { paths: ['blocks.sourceLinks'] },
  'surfaces.ads': { paths: ['blocks.sponsored'] },
  'surfaces.shopping': { paths: ['blocks.productCards'] },
  'research.(rows)': { paths: ['batches[].ideas'] },
  'research.candidate': { paths: ['normalizedPrompt'] },
  'research.intent': { paths: ['intentClass'] },
  'research.opportunity': { paths: ['upsideScore'] },
  'research.demand': { paths: ['volume.estimate'] },
  'research.demand_text': { paths: ['volume.estimate'] },
  'research.demand_type': { paths: ['volume.basis'] },
  'research.research_id': { paths: ['^job.id'] },
  'research.status': { paths: ['^job.state'] },
  'research.finished': { paths: ['^job.wrappedUp'] },
};
