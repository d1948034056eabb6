// One world in four languages, made to mislead: beside most fields, and often in their place, stands something like them.
import { agency, firms } from '../atlas/firms.ts';
import { listKeys, type World } from '../world.ts';
import { bodies, truth } from './contrast-records.ts';
import { bodyIn, pathIn, type Tongue, tongues } from './tongues.ts';

const ownKeys = { 'airank/history': 'puntos', clientes: 'clientes', mediciones: 'mediciones' };
const keys: Readonly<Record<string, string>> = { ...ownKeys, respuestas: 'respuestas', citas: 'citas' };

/** Names of lists are the reference's, and stay. */
function inTongue(tongue: Tongue, route: string, body: object): unknown {
  const key = keys[route] ?? listKeys[route];
  const entries = Object.entries(body).map(([name, value]): [string, unknown] => {
    if (name === key) return [name, bodyIn(tongue, value)];
    const [[renamed, inner] = ['', undefined]] = Object.entries(bodyIn(tongue, { [name]: value }) as object);
    return [renamed, inner];
  });
  return Object.fromEntries(entries);
}

export const contrastWorlds: readonly World[] = tongues.map((tongue) => ({
  name: `contrast-${tongue}`,
  body: (route, query, day) => {
    const client = query.get('cliente');
    const firm = client === null ? agency : firms.find(({ id }) => id === client);
    const made = bodies[route];
    if (firm === undefined || made === undefined) return undefined;
    return inTongue(tongue, route, made(day, firm) as object);
  },
  listKeys: keys,
  truth: Object.fromEntries(
    Object.entries(truth).map(([field, { paths }]) => [
      field,
      { paths: paths.map((path) => pathIn(tongue, path)) },
    ]),
  ),
}));
