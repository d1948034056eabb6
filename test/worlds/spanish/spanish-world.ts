// The API as a team in Spain might have built it: its own words, dates and units, not the same on every route.
import { worldOf } from '../world.ts';
import { actions } from './actions.ts';
import { agent } from './agent.ts';
import { answerTheme } from './answers.ts';
import { clients } from './clients.ts';
import { commerce } from './commerce.ts';
import { account, type Owner, owners } from './owners.ts';
import { questions } from './questions.ts';
import { ranks } from './ranks.ts';
import { rivals } from './rivals.ts';
import { visibility } from './visibility.ts';

const themes = [clients, ranks, visibility, rivals, commerce, questions, answerTheme, actions, agent];
/** The only routes that know `cliente`; the others answer alike with it. */
const perClient = ['airank', 'rank2', 'visibility', 'visibility/history', 'products'];

export const spanishWorld = worldOf<Owner>({
  name: 'spanish',
  firmOf: (client, route) =>
    client === null || !perClient.includes(route) ? account : owners.find(({ id }) => id === client),
  listKeys: {
    clientes: '',
    'airank/history': 'historico',
    mediciones: 'resultados',
    respuestas: 'datos',
    citas: 'citas',
  },
  routes: Object.assign({}, ...themes.map((theme) => theme.routes)),
  truth: Object.assign({}, ...themes.map((theme) => theme.truth)),
});
