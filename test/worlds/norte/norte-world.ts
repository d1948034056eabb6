// The API as a small SEO company in the north of Spain might have built it: an old database, and some newer routes.
import type { Truth, World } from '../world.ts';
import { actionRoutes, actionTruth } from './actions.ts';
import { agentRoutes, agentTruth } from './agent.ts';
import { answerRoutes, answerTruth } from './answers.ts';
import { agency, clientRoutes, clientTruth, firms } from './firms.ts';
import { historyRoutes, historyTruth } from './histories.ts';
import { interestRoutes, interestTruth } from './interest.ts';
import { panelRoutes, panelTruth } from './panel.ts';
import { publicRank, rankRoutes, rankTruth } from './ranks.ts';
import { rivalRoutes, rivalTruth } from './rivals.ts';
import type { Routes } from './route.ts';
import { shopRoutes, shopTruth } from './shop.ts';
import { webRoutes, webTruth } from './web.ts';

const routes: Routes = {
  ...clientRoutes,
  ...rankRoutes,
  ...historyRoutes,
  ...panelRoutes,
  ...answerRoutes,
  ...interestRoutes,
  ...rivalRoutes,
  ...webRoutes,
  ...shopRoutes,
  ...actionRoutes,
  ...agentRoutes,
};

const truth: Truth = {
  ...clientTruth,
  ...rankTruth,
  ...historyTruth,
  ...panelTruth,
  ...answerTruth,
  ...interestTruth,
  ...rivalTruth,
  ...webTruth,
  ...shopTruth,
  ...actionTruth,
  ...agentTruth,
};

export const norteWorld: World = {
  name: 'norte',
  body: (route, query, day) => {
    const client = query.get('cliente');
    const firm = client === null ? agency : firms.find((one) => String(one.id) === client);
    if (firm === undefined) return undefined;
    const answer = routes[route];
    if (answer !== undefined) return answer({ query, day, firm });
    return route.startsWith('airank/') ? publicRank(route.slice('airank/'.length), day) : undefined;
  },
  listKeys: {
    'airank/history': 'historico',
    clientes: 'clientes',
    mediciones: 'mediciones',
    respuestas: 'respuestas',
    citas: 'citas',
  },
  truth,
};
