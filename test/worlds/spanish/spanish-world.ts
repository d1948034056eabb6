// The API as a team in Spain might have built it: its own words, dates and units, not the same on every route.
import type { World } from '../world.ts';
import { actions } from './actions.ts';
import { agent } from './agent.ts';
import { answerTheme } from './answers.ts';
import { clients } from './clients.ts';
import { commerce } from './commerce.ts';
import { account, owners } from './owners.ts';
import { questions } from './questions.ts';
import { ranks } from './ranks.ts';
import { rivals } from './rivals.ts';
import type { Theme } from './theme.ts';
import { visibility } from './visibility.ts';

const themes = [clients, ranks, visibility, rivals, commerce, questions, answerTheme, actions, agent];
const routes: Theme['routes'] = Object.assign({}, ...themes.map((theme) => theme.routes));

/** The only routes that know `cliente`; the others answer alike with it. */
const perClient = ['airank', 'rank2', 'visibility', 'visibility/history', 'products'];

export const spanishWorld: World = {
  name: 'spanish',
  body: (route, query, day) => {
    const asked = perClient.includes(route) ? query.get('cliente') : null;
    const owner = asked === null ? account : owners.find(({ id }) => id === asked);
    return owner === undefined ? undefined : routes[route]?.({ query, owner, day });
  },
  listKeys: {
    clientes: '',
    'airank/history': 'historico',
    mediciones: 'resultados',
    respuestas: 'datos',
    citas: 'citas',
  },
  truth: Object.assign({}, ...themes.map((theme) => theme.truth)),
};
