// The API as a team in the US might have built it: a bit of every habit, none of it meant to hide anything.
import { worldOf } from '../world.ts';
import { accountRoutes, accountTruth } from './account.ts';
import { actionRoutes, actionTruth } from './actions.ts';
import { agentRoutes, agentTruth } from './agent.ts';
import { agency, firms } from './firms.ts';
import { interestRoutes, interestTruth } from './interest.ts';
import { panelRoutes, panelTruth } from './panel.ts';
import { historyRoutes, historyTruth, publicRank, rankRoutes, rankTruth } from './ranks.ts';
import { rivalRoutes, rivalTruth } from './rivals.ts';
import { shopRoutes, shopTruth } from './shop.ts';
import { webRoutes, webTruth } from './web.ts';

export const englishWorld = worldOf({
  name: 'english',
  firmOf: (client) => (client === null ? agency : firms.find(({ id }) => id === client)),
  publicRank,
  listKeys: {
    'airank/history': 'data',
    clientes: 'clients',
    mediciones: 'measurements',
    respuestas: 'results',
    citas: '',
  },
  routes: {
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
  },
  truth: {
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
  },
});
