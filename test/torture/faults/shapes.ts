// Faults of shape: what the body is, and what stands under its list key.
import { type Ask, type Fault, type Hands, json } from '../ask.ts';
import type { Fields } from '../world.ts';
import { errorBodies, type FaultName, noLists, noObjects } from './names.ts';

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

const each = <Name extends FaultName>(
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
  'no usual field': body(
    () => ({ otra: 1, cosa: ['x'] }),
    () => [{ otra: 1, cosa: ['x'] }],
  ),
  'error and few usual fields': body(
    ({ day }) => ({ error: 'parcial', fecha: `dia ${day}` }),
    (_truth, { day }) => [{ error: 'parcial', fecha: `dia ${day}` }],
  ),
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
} satisfies Partial<Record<FaultName, Fault>>;

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
} satisfies Partial<Record<FaultName, Fault>>;

function withoutDemand(record: Fields): Fields {
  return { ...record, demanda: 'not_available' };
}
