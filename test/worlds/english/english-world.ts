// The API as a team in the US might have built it: a bit of every habit, none of it meant to hide anything.
import type { Truth, World } from '../world.ts';
import { accountRoutes, accountTruth } from './account.ts';
import { actionRoutes, actionTruth } from './actions.ts';
import { agentRoutes, agentTruth } from './agent.ts';
import { agency, firms } from './firms.ts';
import { historyRoutes, historyTruth } from './histories.ts';
import { interestRoutes, interestTruth } from './interest.ts';
import { panelRoutes, panelTruth } from './panel.ts';
import { publicRank, rankRoutes, rankTruth } from './ranks.ts';
import { rivalRoutes, rivalTruth } from './rivals.ts';
import type { Routes } from './route.ts';
import { shopRoutes, shopTruth } from './shop.ts';
import { webRoutes, webTruth } from './web.ts';

const routes: Routes = {
  ...rankRoutes,
  ...historyRoutes,
  ...accountRoutes,
  ...panelRoutes,
  ...interestRoutes,
  ...rivalRoutes,
  ...webRoutes,
  ...shopRoutes,
  ...actionRoutes,
  ...agentRoutes,
};

const truth: Truth = {
  ...rankTruth,
  ...historyTruth,
  ...accountTruth,
  ...panelTruth,
  ...interestTruth,
  ...rivalTruth,
  ...webTruth,
  ...shopTruth,
  ...actionTruth,
  ...agentTruth,
};

export const englishWorld: World = {
  name: 'english',
  body: (route, query, day) => {
    const client = query.get('cliente');
    const firm = client === null ? agency : firms.find((one) => one.id === client);
    if (firm === undefined) return undefined;
    const answer = routes[route];
    if (answer !== undefined) return answer({ query, day, firm });
    return route.startsWith('airank/') ? publicRank(route.slice('airank/'.length), day) : undefined;
  },
  listKeys: {
    'airank/history': 'data',
    clientes: 'clients',
    mediciones: 'measurements',
    respuestas: 'results',
    citas: '',
  },
  truth,
};
