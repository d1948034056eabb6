// The API as a company in London and Toronto might have built it, with the habits of Java and .NET.
import { worldOf } from '../world.ts';
import { actionRoutes, actionTruth } from './actions.ts';
import { agentRoutes, agentTruth } from './agent.ts';
import { answerRoutes, answerTruth } from './answers.ts';
import { archiveRoutes, archiveTruth } from './archives.ts';
import { agency, firms } from './firms.ts';
import { questionRoutes, questionTruth } from './questions.ts';
import { publicRank, rankRoutes, rankTruth } from './ranks.ts';
import { rivalRoutes, rivalTruth } from './rivals.ts';
import { shopRoutes, shopTruth } from './shop.ts';

export const atlasWorld = worldOf({
  name: 'atlas',
  firmOf: (client) => (client === null ? agency : firms.find(({ id }) => id === client)),
  publicRank,
  listKeys: {
    'airank/history': 'value',
    clientes: 'items',
    mediciones: 'value',
    respuestas: 'content',
    citas: '',
  },
  routes: {
    ...rankRoutes,
    ...archiveRoutes,
    ...questionRoutes,
    ...answerRoutes,
    ...rivalRoutes,
    ...shopRoutes,
    ...actionRoutes,
    ...agentRoutes,
  },
  truth: {
    ...rankTruth,
    ...archiveTruth,
    ...questionTruth,
    ...answerTruth,
    ...rivalTruth,
    ...shopTruth,
    ...actionTruth,
    ...agentTruth,
  },
});
