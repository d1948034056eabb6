// Makes the answers of the awkward server: every route of the catalog, by client and day.
import { catalog } from '../../src/streams/catalog.ts';
import { type Field, json, object, type Raw, raw } from './awkward-json.ts';
import {
  deep,
  duplicates,
  large,
  lookalikes,
  oddIds,
  plain,
  poison,
  scalars,
  strings,
} from './awkward-records.ts';

export interface AwkwardPage {
  readonly records: readonly Raw[];
  /** How the list is written when it is not the array of the records. */
  readonly listText?: Raw;
  readonly extra: readonly Field[];
}

export type AwkwardAnswer =
  /** The list under a key. */
  | { readonly kind: 'list'; readonly key: string; readonly pages: readonly AwkwardPage[] }
  /** The body itself is the list. */
  | { readonly kind: 'array'; readonly records: readonly Raw[] }
  /** The body itself is the record. */
  | { readonly kind: 'body'; readonly body: Raw };

export type CursorStyle = 'short' | 'number' | 'odd' | 'long';
/** How the last page says that it is the last. */
type EndStyle = 'empty' | 'null' | 'absent' | 'no-paginacion' | 'null-paginacion' | 'empty-paginacion';

export interface AwkwardRoute {
  readonly route: string;
  readonly stream: string;
  readonly perClient: boolean;
  readonly cursors: CursorStyle;
  readonly end: EndStyle;
  readonly answer: (day: number, clientId: string) => AwkwardAnswer;
}

/** Ids as the server writes them, and as text. */
export const clientIds: readonly { readonly sent: Raw; readonly id: string }[] = [
  { sent: raw('9007199254740993'), id: '9007199254740993' },
  ...['acme', 'ACME', 'a b/c&d+e%20f=g?#', 'Ñandú 🚀', '__proto__', '0'].map((id) => ({
    sent: json(id),
    id,
  })),
];

export const questions = ['¿Quién es el mejor & más barato?', 'a+b=100%?'];
export const publicIds = ['pub-1', 'á b/c?d'];
export const runIds: readonly Raw[] = [
  raw('9007199254740993'),
  raw('9007199254740992'),
  json('run/ä&b+c%20 d'),
  json('RUN'),
  json('run'),
  json(`run-${'y'.repeat(3_000)}`),
];

/** Pages of three, so that a server that ignores `limite` is what is met everywhere. */
function paged(
  records: readonly Raw[],
  extra: (pageNo: number) => readonly Field[] = () => [],
): AwkwardPage[] {
  const size = 3;
  const pages = Math.max(Math.ceil(records.length / size), 1);
  return Array.from({ length: pages }, (_, index) => ({
    records: records.slice(index * size, (index + 1) * size),
    extra: extra(index + 1),
  }));
}

const emptyPage: AwkwardPage = { records: [], extra: [] };
const nullPage: AwkwardPage = { records: [], listText: raw('null'), extra: [] };

type Made<What> = (day: number, clientId: string) => What;

function answered(
  route: string,
  answer: Made<AwkwardAnswer>,
  more: Partial<AwkwardRoute> = {},
): AwkwardRoute {
  const stream = route.replace(/[/-]/g, '_');
  return { route, stream, perClient: false, cursors: 'short', end: 'empty', answer, ...more };
}

const listRoute = (
  route: string,
  key: string,
  pages: Made<readonly AwkwardPage[]>,
  more: Partial<AwkwardRoute> = {},
) => answered(route, (day, clientId) => ({ kind: 'list', key, pages: pages(day, clientId) }), more);

const bodyRoute = (route: string, body: Made<Raw>, perClient = false) =>
  answered(route, (day, clientId) => ({ kind: 'body', body: body(day, clientId) }), { perClient });

const disagreeing = (pageNo: number): Field[] => [
  ['total', json(100 + pageNo)],
  ['moneda', json('EUR')],
  ...(pageNo === 1 ? [] : ([[`desde_${pageNo}`, raw('1.10')]] as Field[])),
];

function runOf(day: number, id: Raw): Raw {
  return object(['run_id', id], ['estado', json(id.sent === '"RUN"' ? `dia ${day}` : 'hecho')]);
}

const awkward: readonly AwkwardRoute[] = [
  bodyRoute('airank', (day, clientId) => airankOf(day, clientId), true),
  listRoute(
    'airank/history',
    'history',
    (day) =>
      paged(
        plain(day, 'h').map((record, index) => object(['fecha', json(`f${index}`)], ['punto', record])),
        () => [['avisos', json(['otra lista'])]],
      ),
    { end: 'absent' },
  ),
  listRoute(
    'clientes',
    'clientes_agencia',
    (day) =>
      paged(
        clientIds.map(({ sent }) =>
          object(['cliente_id', sent], ['nombre', json('mismo nombre')], ['d', json(day)]),
        ),
        () => [['total', json(clientIds.length)]],
      ),
    { cursors: 'odd', end: 'no-paginacion' },
  ),
  answered('mediciones', (day) => ({ kind: 'array', records: plain(day, 'm') })),
  listRoute('respuestas', 'items', (day) => paged([...oddIds(day), large(300_000)], disagreeing), {
    cursors: 'number',
    end: 'null',
  }),
  listRoute('acciones', 'acciones', () => paged(scalars()), { end: 'null-paginacion' }),
  listRoute('citas', 'citas', () => paged(duplicates(), () => [['resumen', json([])]]), { cursors: 'long' }),
  bodyRoute('visibility', (day, clientId) => object(['v1', json(clientId)], ['v2', json(day)]), true),
  listRoute('visibility/history', 'puntos', (day, clientId) => paged(plain(day, clientId, 'fecha', 4)), {
    perClient: true,
    cursors: 'odd',
    end: 'absent',
  }),
  bodyRoute(
    'rank2',
    (_day, clientId) => (clientId === '' ? json({ '': 'solo texto' }) : json({ lista: [clientId, 1, null] })),
    true,
  ),
  bodyRoute('prediccion', () => json({ nada: null })),
  listRoute('prompts', 'preguntas', (day) => paged(plain(day, 'p'), disagreeing), { cursors: 'odd' }),
  listRoute('prompt-clusters', 'clusters', (day) => [nullPage, ...paged(plain(day, 'c')), nullPage], {
    end: 'absent',
  }),
  listRoute('prompt-gaps', 'huecos', (day) => [emptyPage, emptyPage, ...paged(plain(day, 'g')), emptyPage]),
  listRoute('fanouts', 'porPrompt', () => [emptyPage]),
  listRoute('sources', 'dominios', () => paged(['a.es', 'A.es', 'a.ES'].map((dominio) => json({ dominio })))),
  listRoute('citations', 'urls', () => paged(strings()), { end: 'empty-paginacion' }),
  // These three are in order on the first day, when their key is fixed, and never again.
  listRoute('competitors', 'competidores', (day) => paged(day === 1 ? plain(1, 'co') : oddIds(day)), {
    end: 'null',
  }),
  listRoute('perception', 'atributos', (day) =>
    paged(day === 1 ? plain(1, 'pe') : [...scalars(), ...duplicates(), ...oddIds(day), ...plain(day, 'pe')]),
  ),
  listRoute('products', 'productos', (day, clientId) => paged(plain(day, clientId, 'sku'), disagreeing), {
    perClient: true,
    end: 'no-paginacion',
  }),
  listRoute('shopping', 'merchants', () => paged(poison(), (pageNo) => (pageNo === 2 ? poisonedExtra : []))),
  listRoute('crawl', 'salud', () => paged([deep(150), deep(2), deep(150)])),
  listRoute('revenue', 'porCanal', () =>
    paged(['EUR', 'USD'].map((moneda) => json({ canal: 'ai', moneda }))),
  ),
  listRoute('benchmark', 'cortes', (day) => paged(day === 1 ? plain(1, 'be') : lookalikes())),
  listRoute('experiments', 'experimentos', () => [
    {
      records: [
        object(['experimento', json({ id: 1 })], [{ ...raw('"\\u0069d"'), replaced: 0 }, raw('null')]),
        raw('{"id":1,"id":2}'),
        raw('{"ID":1,"Id":2,"iD":3}'),
      ],
      extra: [],
    },
  ]),
  listRoute('demand', 'prompts', () => [nullPage], { end: 'null-paginacion' }),
  listRoute('bgpi', 'prompts', () => [{ ...nullPage, extra: [['aviso', json('sin datos')]] }]),
  bodyRoute('surfaces', () => object(['paginacion', json({ siguiente: null })], ['motores', json([1, 2])])),
  listRoute('actions', 'acciones', (day) =>
    paged(plain(day, 'a'), () => [
      ['', json(day)],
      ['__proto__', json(1)],
    ]),
  ),
  listRoute('triggers', 'registros', (day) => paged(plain(day, 't'), () => [['configuracion', deep(150)]])),
  listRoute('agent/memory', 'entradas', () => paged([large(1_500_000), raw('{}'), raw('{}')])),
  bodyRoute('agent/os', () => json({ estado: 'unavailable' })),
  listRoute('agent/runs', 'runs', (day) => paged(runIds.map((id) => runOf(day, id)))),
  listRoute('optimizer', 'versiones', (day) => paged(plain(day, 'o'), () => [['ultima', json(null)]])),
  bodyRoute('prompt-research', () => json({ a: [{ a: 1 }, { a: 1 }], estado: 'en curso' })),
];

/** Routes without a line above are answered plainly. */
const others = catalog
  .filter(({ source, route }) => source.kind === 'walk' && awkward.every((one) => one.route !== route))
  .map(({ route, list, perClient }) =>
    list.kind === 'key'
      ? listRoute(route, list.key, (day) => paged(plain(day, 'x')), { perClient })
      : bodyRoute(route, (day) => json({ dia: day }), perClient),
  );

export const routes: readonly AwkwardRoute[] = [...awkward, ...others];

const poisonedExtra: Field[] = [
  ['aviso', raw('"a\\u0000b"', '"a\\ufffdb"')],
  [raw('"clave\\u0000"', '"clave\\ufffd"'), raw('1e200000', '"1e200000"')],
];

function airankOf(day: number, clientId: string): Raw {
  if (clientId === 'acme') return object(['valor', raw('12.50')]);
  if (clientId === 'ACME') return object(['valor', raw('"\\ud800"', '"\\ufffd"')]);
  if (clientId === '0') return object(['lista', raw(' [ ] ')]);
  return object(
    ['airank', raw('71.30')],
    ['cliente', json(clientId)],
    ['dia', json(day)],
    ['error', json(null)],
  );
}

/** The trace of one run; changes exactly when the run does. */
export function traceOf(day: number, id: Raw): Raw {
  return object(
    ['run', runOf(day, id)],
    ['eventos', json([{ n: 1 }, { n: 1 }])],
    ['nul', raw('"\\u0000"', '"\\ufffd"')],
  );
}

export function answerTo(question: string, day: number): Raw {
  return json({ pregunta: question, respuesta: `día ${day}`, basado_en: ['datos'] });
}

export function publicOf(id: string, day: number): Raw {
  return json({ id, airank: day });
}
