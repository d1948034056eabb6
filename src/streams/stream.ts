// A stream: one route of the API as data.

/** Key under which a body gives the next page's cursor, beside the list; it is not stored. */
export const paginationKey = 'paginacion';

/** Path of a value inside a record, outermost key first. `[]` is the record itself. */
export type KeyPath = readonly string[];

/** Paths that identify a record together; usually one. */
export type CandidateKey = readonly KeyPath[];

export type ListRule =
  /** Under this key (api.md, "Routes"). */
  | { readonly kind: 'key'; readonly key: string }
  /** The reference gives no key: found in the first answer of an account and fixed. */
  | { readonly kind: 'detect' }
  /** The body itself is the list. */
  | { readonly kind: 'body' }
  /** The whole body is one record. */
  | { readonly kind: 'none' };

export type Source =
  /** One paginated walk of the route. */
  | { readonly kind: 'walk' }
  /** One request for each new or changed record of another stream, its key as a query parameter. */
  | { readonly kind: 'details'; readonly of: string; readonly parameter: string }
  /** One request for each configured value, as a query parameter; the value is the record key. */
  | { readonly kind: 'questions'; readonly parameter: string }
  /** One request without the key for each configured id, as the last part of the path. */
  | { readonly kind: 'public' };

interface VanishThresholds {
  readonly records: number;
  readonly percent: number;
}

export interface Stream {
  /** `agent/runs` → `agent_runs`; also the partition of snapshot.record. */
  readonly name: string;
  readonly route: string;
  readonly tool: string | undefined;
  readonly description: string;
  readonly list: ListRule;
  /** Walked for the account and for each of its clients (`cliente`). */
  readonly perClient: boolean;
  /** In order of preference; the first present, scalar and unique one is fixed at the first publish. */
  readonly keys: readonly CandidateKey[];
  /** The configuration names the keys: they hold even where they are missing or repeated. */
  readonly keysConfigured: boolean;
  /** If a full refresh lacks more of the published records than both allow, a second one has to agree. */
  readonly vanishAbove: VanishThresholds;
  /** An archive only grows; a state is replaced. */
  readonly shape: 'archive' | 'state';
  readonly query: Readonly<Record<string, string>>;
  readonly format: 'json' | 'csv';
  readonly source: Source;
  readonly priority: 'high' | 'normal';
  /** Tags by which a job names many at once, as `rank`. */
  readonly topics: readonly string[];
}
