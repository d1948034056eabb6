// The API as a team in Mexico and Argentina might have built it: Spanish and English change from route to route.
import type { Truth, World } from '../world.ts';
import { agencyAnswers, agencyTruth } from './agency.ts';
import { agentAnswers, agentTruth } from './agent.ts';
import { archiveAnswers, archiveTruth } from './archives.ts';
import { agency, customers } from './customers.ts';
import { improvementAnswers, improvementTruth } from './improvements.ts';
import { interestAnswers, interestTruth } from './interest.ts';
import { panelAnswers, panelTruth } from './panel.ts';
import { publicRank, rankAnswers, rankTruth } from './ranks.ts';
import type { Answers } from './request.ts';
import { rivalAnswers, rivalTruth } from './rivals.ts';
import { storeAnswers, storeTruth } from './store.ts';
import { webAnswers, webTruth } from './web.ts';

const answers: Answers = {
  ...rankAnswers,
  ...archiveAnswers,
  ...agencyAnswers,
  ...panelAnswers,
  ...interestAnswers,
  ...rivalAnswers,
  ...webAnswers,
  ...storeAnswers,
  ...improvementAnswers,
  ...agentAnswers,
};

const truth: Truth = {
  ...rankTruth,
  ...archiveTruth,
  ...agencyTruth,
  ...panelTruth,
  ...interestTruth,
  ...rivalTruth,
  ...webTruth,
  ...storeTruth,
  ...improvementTruth,
  ...agentTruth,
};

const publicRoute = 'airank/';

export const mixedWorld: World = {
  name: 'mixed',
  body: (route, query, day) => {
    const code = query.get('cliente');
    const customer = code === null ? agency : customers.find((known) => known.code === code);
    if (customer === undefined) return undefined;
    const answer = answers[route];
    if (answer !== undefined) return answer({ query, day, customer });
    return route.startsWith(publicRoute) ? publicRank(route.slice(publicRoute.length), day) : undefined;
  },
  listKeys: {
    'airank/history': 'renglones',
    clientes: 'cartera',
    mediciones: 'Mediciones',
    respuestas: 'results',
    citas: 'listado',
  },
  truth,
};
