// Faults of shape: what the body is, and what stands under its list key.
import { type Ask, type Fault, type Hands, json } from '../ask.ts';
import { bodyOf, type Fields } from '../world.ts';
import { errorBodies, noLists, noObjects } from './names.ts';

function body(make: (hands: Hands, ask: Ask) => unknown, claim?: Fault['claim']): Fault {
  return {
    reach: 'answer',
    answer: (ask, hands) => json(make(hands, ask)),
    ...(claim === undefined ? {} : { claim }),
  };
}

function underKey(value: unknown, beside: Fields = { paginacion: { siguiente: null } }): Fault {
  return body(({ target }) => ({ ...beside, [target.listKey ?? 'lista']: value }));
}

const each = <Name extends string>(
  bodies: Readonly<Record<Name, unknown>>,
  make: (value: unknown) => Fault,
) =>
  Object.fromEntries(Object.entries(bodies).map(([name, value]) => [name, make(value)])) as Record<
    Name,
    Fault
  >;

/** The first page as the server counts it: what a bare array says of a list. */
const firstPage = (truth: readonly Fields[]) => truth.slice(0, 200);

export const shapeFaults = {
  ...each(errorBodies, (value) => body(() => value)),
  ...each(noObjects, (value) => body(() => value)),
  ...each(noLists, (value) => underKey(value)),
  'bare array': body(
    (hands) => (hands.target.listKey === undefined ? [{ a: 1 }] : hands.slice(1)),
    firstPage,
  ),
  'empty array': body(() => []),
  'empty object': body(() => ({})),
  'list key missing': body(() => ({ total: 7, resumen: { dia: 1 }, paginacion: { siguiente: null } })),
  'list key renamed': {
    reach: 'walk',
    answer: (ask, hands) => {
      const next = ask.pageNo < hands.pages ? hands.cursorOf(ask.pageNo + 1) : null;
      return json({ elementos: hands.slice(ask.pageNo), paginacion: { siguiente: next } });
    },
    claim: (truth: readonly Fields[]) => truth,
  },
  'list is null': underKey(null),
  'empty list': underKey([]),
  'error beside an empty list': underKey([], { error: 'interno' }),
  'error beside an empty list in its envelope': underKey([], {
    Error: 'interno',
    mensaje: 'Vuelve luego',
    total: 0,
    paginacion: { siguiente: null },
  }),
  'success false beside an empty list': underKey([], { success: false, paginacion: {} }),
  'a list of one error': underKey([{ error: 'interno', code: 7 }]),
  'the list in place of details': body(() => ({
    eventos: Array.from({ length: 9 }, (_, index) => ({ id: `run-${index + 1}`, estado: 'ok' })),
  })),
  'no usual field': body(
    () => ({ otra: 1, cosa: ['x'] }),
    () => [{ otra: 1, cosa: ['x'] }],
  ),
  'error and few usual fields': body(
    ({ day }) => ({ error: 'parcial', fecha: `dia ${day}` }),
    (_truth, { day }) => [{ error: 'parcial', fecha: `dia ${day}` }],
  ),
  'records stripped to their key': {
    reach: 'walk',
    answer: (ask, hands) => {
      const isWhole = ask.csv || ask.pageNo === hands.pages;
      const records = ask.csv ? hands.records : hands.slice(ask.pageNo);
      return hands.page(records.map(stripped), isWhole ? undefined : hands.cursorOf(ask.pageNo + 1));
    },
    claim: (truth: readonly Fields[]) => truth.map(stripped),
  },
  'one record 120 times': {
    reach: 'walk',
    answer: (_ask, hands) => hands.page(Array<unknown>(120).fill(hands.records[0]), undefined),
    claim: (truth: readonly Fields[]) => Array<unknown>(120).fill(truth[0]),
  },
  'every value null': body(nulls, (_truth, hands) => [nulls(hands)]),
  'words in place of figures': body(words, (_truth, hands) => [words(hands)]),
  'a page about maintenance': body(
    () => maintenance,
    () => [maintenance],
  ),
  'trace of another run': body(({ day }) => bodyOf('agent_run_traces', '', day, 'run-3')),
  'records of another client': {
    reach: 'walk',
    answer: (_ask, hands) =>
      hands.page(
        hands
          .slice(1)
          .slice(0, 40)
          .map((record) => ({ ...record, cliente: 'c1', id: `c1-x${String(record['id'])}` })),
        undefined,
      ),
  },
  'body of another client': body(({ day }) => ({
    cliente: 'c1',
    fecha: `dia ${day}`,
    airank: 99,
    metodo: 'v2',
    comparable: true,
    dimensiones: { presencia: 9, tono: 9 },
    motivos: [],
  })),
} satisfies Record<string, Fault>;

const maintenance = { titulo: 'Volvemos pronto', soporte: 'ayuda', version: 3 };

/** The first field of a record is its key. */
function stripped(record: Fields): Fields {
  return Object.fromEntries(Object.entries(record).slice(0, 1));
}

type Bodied = Pick<Hands, 'day' | 'target'>;

/** Today's body, with another value in each of its fields. */
function bodyWith({ day, target }: Bodied, change: (value: unknown) => unknown): Fields {
  const fields = Object.entries(bodyOf(target.stream, target.client, day));
  return Object.fromEntries(fields.map(([name, value]) => [name, change(value)]));
}

function nulls(hands: Bodied): Fields {
  return bodyWith(hands, () => null);
}

function words(hands: Bodied): Fields {
  return bodyWith(hands, (value) => (typeof value === 'number' ? 'ocupado' : value));
}

const state = (value: Fields): Fault =>
  body(
    () => value,
    () => [value],
  );

/** Answers that the reference documents as states: data, however little they hold. */
export const documentedStates = {
  'state unavailable': state({ estado: 'unavailable' }),
  'status unavailable': state({ status: 'unavailable' }),
  'research in progress': state({ estado: 'en_curso', progreso: 40 }),
  'surfaces not available': state({ motores: 'not_available' }),
  'demand not_available': {
    reach: 'walk',
    answer: (_ask, hands) => hands.page(hands.slice(1).map(withoutDemand), undefined),
    claim: (truth: readonly Fields[]) => truth.map(withoutDemand),
  },
  'insufficient benchmark': body(({ target }) => ({
    [target.listKey ?? '']: [],
    muestra: 'insuficiente',
    marcas: 12,
  })),
} satisfies Record<string, Fault>;

function withoutDemand(record: Fields): Fields {
  return { ...record, demanda: 'not_available' };
}
