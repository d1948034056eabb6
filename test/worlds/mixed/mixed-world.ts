// The API as a team in Mexico and Argentina might have built it: Spanish and English change from route to route.
import { worldOf } from '../world.ts';
import { agencyAnswers, agencyTruth } from './agency.ts';
import { agentAnswers, agentTruth } from './agent.ts';
import { archiveAnswers, archiveTruth } from './archives.ts';
import { agency, customers } from './customers.ts';
import { improvementAnswers, improvementTruth } from './improvements.ts';
import { interestAnswers, interestTruth } from './interest.ts';
import { panelAnswers, panelTruth } from './panel.ts';
import { publicRank, rankAnswers, rankTruth } from './ranks.ts';
import { rivalAnswers, rivalTruth } from './rivals.ts';
import { storeAnswers, storeTruth } from './store.ts';
import { webAnswers, webTruth } from './web.ts';

export const mixedWorld = worldOf({
  name: 'mixed',
  firmOf: (client) => (client === null ? agency : customers.find(({ code }) => code === client)),
  publicRank,
  listKeys: {
    'airank/history': 'renglones',
    clientes: 'cartera',
    mediciones: 'Mediciones',
    respuestas: 'results',
    citas: 'listado',
  },
  routes: {
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
  },
  truth: {
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
  },
});
