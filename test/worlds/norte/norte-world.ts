// The API as a small SEO company in the north of Spain might have built it: an old database, and some newer routes.
import { worldOf } from '../world.ts';
import { actionRoutes, actionTruth } from './actions.ts';
import { agentRoutes, agentTruth } from './agent.ts';
import { agency, clientRoutes, clientTruth, firms } from './firms.ts';
import { interestRoutes, interestTruth } from './interest.ts';
import { answerRoutes, answerTruth, panelRoutes, panelTruth } from './panel.ts';
import { historyRoutes, historyTruth, publicRank, rankRoutes, rankTruth } from './ranks.ts';
import { rivalRoutes, rivalTruth } from './rivals.ts';
import { shopRoutes, shopTruth } from './shop.ts';
import { webRoutes, webTruth } from './web.ts';

export const norteWorld = worldOf({
  name: 'norte',
  firmOf: (client) => (client === null ? agency : firms.find(({ id }) => String(id) === client)),
  publicRank,
  listKeys: {
    'airank/history': 'historico',
    clientes: 'clientes',
    mediciones: 'mediciones',
    respuestas: 'respuestas',
    citas: 'citas',
  },
  routes: {
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
  },
  truth: {
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
  },
});
