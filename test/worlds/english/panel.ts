// The questions of the panel: `prompts`, `prompt-clusters`, `prompt-gaps`, `fanouts`.

import { range } from '../kit.ts';
import type { Ask, Routes, Truth } from '../world.ts';
import { clients, engines, type Firm, type Question, questionsOf } from './firms.ts';
import { decimal, hex, isLikely, on, pick, some, whole } from './kit.ts';

export const panelRoutes: Routes<Firm> = {
  prompts,
  'prompt-clusters': clusters,
  'prompt-gaps': gaps,
  fanouts,
};

const intents = ['informational', 'commercial', 'transactional', 'navigational'] as const;
const asked = (perTopic: number): Question[] => clients.flatMap((firm) => questionsOf(firm, perTopic));

/** Whether it came on one of the days after the first, each as likely. */
const hasHappened = (share: number, what: string, id: string, day: number): boolean =>
  range(1, day).some((one) => isLikely(share, what, id, one));

function prompts({ day }: Ask<Firm>): unknown {
  return {
    preguntas: asked(10).map((question) => {
      const isOn =
        !isLikely(0.12, 'off', question.id) && !hasHappened(0.02, 'switched off', question.id, day);
      // Asked every third day.
      const turn = Math.floor((day + whole(0, 2, 'turn', question.id)) / 3);
      return {
        pid: question.id,
        text: question.text,
        enabled: isOn ? 1 : 0,
        isBranded: 0,
        searchIntent: pick(intents, 'intent', question.id),
        brandRate: decimal(0, 0.95, 2, 'rate', question.id, turn),
        rivalRate: decimal(0, 0.95, 2, 'rivalRate', question.id),
        avgSlot: isOn ? decimal(1, 7, 1, 'slot', question.id, turn) : null,
        platforms: some(engines, 0.7, 'platforms', question.id).map((label) => ({
          code: label.slice(0, 3).toLowerCase(),
          label,
        })),
        clientRef: question.firm.id,
        addedBy: pick(['dana', 'import', 'research'], 'by', question.id),
        addedAt: on(-whole(30, 300, 'added', question.id)).utc,
        textHash: hex(8, question.text),
      };
    }),
    panelName: 'US weekly',
    officialPanel: 'yes',
  };
}

function clusters({ day }: Ask<Firm>): unknown {
  return {
    clusters: clients.flatMap((firm) =>
      firm.topics.map((topic) => {
        const members = questionsOf(firm, 10).filter((question) => question.topic === topic);
        return {
          slug: `${firm.slug}/${topic.toLowerCase().replaceAll(' ', '-')}`,
          title: topic,
          client: { id: firm.id, name: firm.name },
          headroomScore: decimal(10, 95, 1, 'headroom', topic).toFixed(1),
          brandShare: `${whole(2, 80, 'share', topic) + (day % 4)}%`,
          members: members.map(({ id, text }) => ({ pid: id, text })),
          centroidId: whole(100, 999, 'centroid', topic),
          cohesion: decimal(0.5, 0.95, 3, 'cohesion', topic),
        };
      }),
    ),
    algorithm: 'hdbscan-0.9',
  };
}

function gaps({ day }: Ask<Firm>): unknown {
  return {
    huecos: asked(8)
      // Some are filled later.
      .filter(({ id }) => isLikely(0.4, 'gap', id) && !hasHappened(0.04, 'filled', id, day))
      .map(({ id, text, firm }) => {
        const first = -whole(3, 120, 'flagged', id);
        return {
          question: text,
          upside: whole(5, 98, 'upside', id),
          whoShowsUp: some(firm.rivals, 0.6, 'who', id),
          inEngines: some(engines, 0.5, 'in', id),
          firstFlagged: on(first).yearFirst,
          timesFlagged: whole(1, 9, 'times', id),
          dedupeKey: hex(10, 'gap', id),
        };
      }),
    threshold: 0.2,
  };
}

const tails = ['price', 'reviews 2026', 'vs', 'near me', 'reddit', 'warranty', 'how to choose'] as const;

function fanouts({ day }: Ask<Firm>): unknown {
  return {
    porPrompt: asked(5).map(({ id, text, topic, firm }) => {
      const subqueries = some(tails, 0.5, 'tails', id).map((tail) => `${topic.toLowerCase()} ${tail}`);
      const covered = whole(0, subqueries.length, 'covered', id, Math.floor(day / 3));
      return {
        prompt: { id, text },
        subqueries,
        subqueryCount: subqueries.length,
        coveredCount: covered,
        bestPage: covered > 0 ? `https://www.${firm.domain}/guides/${whole(1, 14, 'page', id)}` : null,
        depth: 1,
        traceId: hex(24, 'trace', id),
      };
    }),
    observedWith: ['ChatGPT', 'Gemini'],
  };
}

export const panelTruth: Truth = {
  'prompts.client': { paths: ['clientRef'] },
  'prompts.id': { paths: ['pid'] },
  'prompts.question': { paths: ['text'] },
  'prompts.is_active': { paths: ['enabled'] },
  'prompts.intent': { paths: ['searchIntent'] },
  'prompts.presence': { paths: ['brandRate'] },
  'prompts.mean_position': { paths: ['avgSlot'] },
  'prompts.engines': { paths: ['platforms', 'platforms[].label'] },
  'prompt_clusters.client': { paths: ['client.id'] },
  'prompt_clusters.id': { paths: ['slug'] },
  'prompt_clusters.name': { paths: ['title'] },
  'prompt_clusters.opportunity': { paths: ['headroomScore', 'headroomScore | point'] },
  'prompt_clusters.presence': { paths: ['brandShare | percent'] },
  'prompt_clusters.questions': { paths: ['members'] },
  'prompt_gaps.question': { paths: ['question'] },
  'prompt_gaps.opportunity': { paths: ['upside'] },
  'prompt_gaps.rivals': { paths: ['whoShowsUp'] },
  'prompt_gaps.engines': { paths: ['inEngines'] },
  'prompt_gaps.detected': { paths: ['firstFlagged'] },
  'fanouts.id': { paths: ['prompt.id'] },
  'fanouts.question': { paths: ['prompt.text'] },
  'fanouts.searches': { paths: ['subqueries'] },
  'fanouts.covered': { paths: ['coveredCount'] },
  'fanouts.url': { paths: ['bestPage'] },
};
