// The kinds of routes that are attacked, one stream of each.

export type Kind =
  | 'single'
  | 'client single'
  | 'agent state'
  | 'archive'
  | 'state'
  | 'client list'
  | 'client history'
  | 'details'
  | 'csv'
  | 'clients'
  | 'public'
  | 'ask'
  | 'research'
  | 'surfaces'
  | 'demand'
  | 'benchmark';

export interface Target {
  readonly kind: Kind;
  readonly route: string;
  readonly stream: string;
  /** Key of the list; undefined: the body is one record. */
  readonly listKey: string | undefined;
  /** The client whose slice is attacked; '' for the account itself. */
  readonly client: string;
  /** Streams that are walked beside it; `sources` is the witness that nothing else may suffer. */
  readonly beside: readonly string[];
}

export const clientIds = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6'] as const;
/** The clients that per-client kinds are walked for. */
export const walkedClients = ['c1', 'c2', 'c3'] as const;
export const witness = 'sources';

export const targets: readonly Target[] = [
  target('single', 'prediccion', undefined),
  target('client single', 'airank', undefined, 'c2'),
  target('agent state', 'agent/os', undefined),
  target('archive', 'respuestas', 'respuestas'),
  target('state', 'competitors', 'competidores'),
  target('client list', 'products', 'productos', 'c2'),
  target('client history', 'visibility/history', 'puntos', 'c2'),
  { ...target('details', 'agent/runs', undefined), stream: 'agent_run_traces', beside: ['agent_runs'] },
  target('csv', 'airank/history', 'historial'),
  { ...target('clients', 'clientes', 'clientes'), beside: ['products'] },
  { ...target('public', 'airank/:id', undefined), stream: 'airank_public' },
  target('ask', 'ask', undefined),
  target('research', 'prompt-research', undefined),
  target('surfaces', 'surfaces', undefined),
  target('demand', 'demand', 'prompts'),
  target('benchmark', 'benchmark', 'cortes'),
];

export function targetOf(kind: Kind): Target {
  const found = targets.find((one) => one.kind === kind);
  if (found === undefined) throw new Error(kind);
  return found;
}

function target(kind: Kind, route: string, listKey: string | undefined, client = ''): Target {
  return { kind, route, stream: route.replace(/[/-]/g, '_'), listKey, client, beside: [] };
}

/** Kinds with a list under a key, in pages. */
export const paged: readonly Kind[] = ['archive', 'state', 'client list'];
/** Kinds with a list under a key. */
export const lists: readonly Kind[] = [...paged, 'client history'];
/** Kinds whose whole body is one record. */
export const singles: readonly Kind[] = ['single', 'client single', 'agent state'];
/** Kinds with one request a configured value. */
export const values: readonly Kind[] = ['public', 'ask'];
