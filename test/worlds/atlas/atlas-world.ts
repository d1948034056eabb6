// The API as a company in London and Toronto might have built it, with the habits of Java and .NET.
import type { Truth, World } from '../world.ts';
import { actionRoutes, actionTruth } from './actions.ts';
import { agentRoutes, agentTruth } from './agent.ts';
import { answerRoutes, answerTruth } from './answers.ts';
import { archiveRoutes, archiveTruth } from './archives.ts';
import { agency, firms } from './firms.ts';
import { questionRoutes, questionTruth } from './questions.ts';
import { publicRank, rankRoutes, rankTruth } from './ranks.ts';
import { rivalRoutes, rivalTruth } from './rivals.ts';
import type { Routes } from './route.ts';
import { shopRoutes, shopTruth } from './shop.ts';

const routes: Routes = {
  ...rankRoutes,
  ...archiveRoutes,
  ...questionRoutes,
  ...answerRoutes,
  ...rivalRoutes,
  ...shopRoutes,
  ...actionRoutes,
  ...agentRoutes,
};

const truth: Truth = {
  ...rankTruth,
  ...archiveTruth,
  ...questionTruth,
  ...answerTruth,
  ...rivalTruth,
  ...shopTruth,
  ...actionTruth,
  ...agentTruth,
};

export const atlasWorld: World = {
  name: 'atlas',
  body: (route, query, day) => {
    const client = query.get('cliente');
    const firm = client === null ? agency : firms.find(({ id }) => id === client);
    if (firm === undefined) return undefined;
    const answer = routes[route];
    if (answer !== undefined) return answer({ query, day, firm });
    return route.startsWith('airank/') ? publicRank(route.slice('airank/'.length), day) : undefined;
  },
  listKeys: {
    'airank/history': 'value',
    clientes: 'items',
    mediciones: 'value',
    respuestas: 'content',
    citas: '',
  },
  truth,
};
