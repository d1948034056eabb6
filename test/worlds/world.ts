// A server with field names, formats and nestings of its own, and what is true of them. Written from the reference and
// the names of the logical fields alone, by someone who has not seen how fields are found.

/** Lists whose key the reference names. */
export const listKeys: Readonly<Record<string, string>> = {
  'visibility/history': 'puntos',
  prompts: 'preguntas',
  'prompt-clusters': 'clusters',
  'prompt-gaps': 'huecos',
  fanouts: 'porPrompt',
  sources: 'dominios',
  citations: 'urls',
  competitors: 'competidores',
  perception: 'atributos',
  products: 'productos',
  shopping: 'merchants',
  crawl: 'salud',
  revenue: 'porCanal',
  benchmark: 'cortes',
  experiments: 'experimentos',
  demand: 'prompts',
  bgpi: 'prompts',
  actions: 'acciones',
  triggers: 'registros',
  'agent/memory': 'entradas',
  'agent/runs': 'runs',
  optimizer: 'versiones',
  acciones: 'acciones',
};

export interface World {
  readonly name: string;
  /**
   * The whole body of a route, its list not cut into pages yet; undefined: there is no such route.
   * @param day 0 for the first run date
   */
  readonly body: (route: string, query: URLSearchParams, day: number) => unknown;
  /** Where lists are whose key the reference does not name; '' : the body is the list. */
  readonly listKeys: Readonly<Record<string, string>>;
  readonly truth: Truth;
}

/**
 * For each logical field that there is, as `rank_now.score`: where it is. A field that is not named is not in the data,
 * nor is a client that is told by its name alone: a name identifies nobody.
 */
export type Truth = Readonly<Record<string, Place>>;

export interface Place {
  /** Every path that is right, in the language of docs/views.md. */
  readonly paths: readonly string[];
  /** Nobody can tell from the data alone: to be asked, not guessed. */
  readonly isDoubtful?: true;
}

/** What a route is asked. */
export interface Ask<Firm> {
  readonly query: URLSearchParams;
  /** 0 for the first run date. */
  readonly day: number;
  /** Whose records it shows: the client's that is asked for, or the account's. */
  readonly firm: Firm;
}

/** The whole body; undefined: not found. */
export type Routes<Firm> = Readonly<Record<string, (ask: Ask<Firm>) => unknown>>;

/** @param publicRank the body of `airank/<id>` */
export function worldOf<Firm>({
  routes,
  firmOf,
  publicRank,
  ...world
}: Omit<World, 'body'> & {
  readonly routes: Routes<Firm>;
  readonly firmOf: (client: string | null, route: string) => Firm | undefined;
  readonly publicRank?: (id: string, day: number) => unknown;
}): World {
  return {
    ...world,
    body: (route, query, day) => {
      const firm = firmOf(query.get('cliente'), route);
      if (firm === undefined) return undefined;
      const answer = routes[route];
      if (answer !== undefined) return answer({ query, day, firm });
      return route.startsWith('airank/') ? publicRank?.(route.slice('airank/'.length), day) : undefined;
    },
  };
}
