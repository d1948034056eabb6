// Turns the short form of a route in the catalog into a stream.
import type { CandidateKey, ListRule, Source, Stream } from './stream.ts';

/** `"id"`, `"a.b"` (one path), `[]` (the record itself), or several paths together. */
type KeySpec = string | readonly string[];

export interface StreamSpec {
  /** Default: the route with `/` and `-` as `_`. */
  readonly name?: string;
  readonly route: string;
  readonly tool?: string;
  readonly description: string;
  /** Key of the list; `detect`: the reference gives none for a list; null: the body is one record. */
  readonly list: string | null;
  readonly perClient?: boolean;
  readonly shape: 'archive' | 'state';
  readonly keys?: readonly KeySpec[];
  /** Skips the common keys, so that a name or an address is not taken for an identifier. */
  readonly exactKeys?: true;
  readonly query?: Readonly<Record<string, string>>;
  readonly source?: Source;
  readonly priority?: 'high' | 'normal';
  readonly topics?: readonly string[];
}

/**
 * Common identifiers of records, Spanish and English. A field fits whatever its letter case,
 * `_` and `-`: `run_id` stands for `runId` as well.
 */
const commonKeys: readonly KeySpec[] = [
  'id',
  'uuid',
  '_id',
  'guid',
  'codigo',
  'clave',
  'slug',
  'ref',
  'key',
  'url',
  'nombre',
  'name',
];

/** `agent/runs` → `agent_runs`. */
function streamName(route: string): string {
  return route.replace(/[/-]/g, '_');
}

export function keyOf(spec: KeySpec): CandidateKey {
  if (typeof spec === 'string') return [spec.split('.')];
  return spec.length === 0 ? [[]] : spec.map((path) => path.split('.'));
}

/** null: the body is one record; []: the body is the list. */
export function listOf(list: string | readonly [] | null): ListRule {
  if (list === null) return { kind: 'none' };
  if (typeof list !== 'string') return { kind: 'body' };
  return { kind: 'key', key: list };
}

/** Account routes of an agency may hold one record for each client: the key then names the client too. */
function withClient(keys: readonly KeySpec[]): readonly KeySpec[] {
  return keys
    .filter((key) => key.length > 0 && !key.includes('cliente'))
    .map((key) => ['cliente', ...(typeof key === 'string' ? [key] : key)]);
}

export function define(spec: StreamSpec): Stream {
  const own = spec.keys ?? [];
  const common = spec.exactKeys ? [] : commonKeys.filter((key) => !own.includes(key));
  return {
    name: spec.name ?? streamName(spec.route),
    route: spec.route,
    tool: spec.tool,
    description: spec.description,
    list: spec.list === 'detect' ? { kind: 'detect' } : listOf(spec.list),
    perClient: spec.perClient ?? false,
    keys: [...own, ...withClient(own), ...common].map(keyOf),
    keysConfigured: false,
    vanishAbove: { records: 20, percent: 20 },
    shape: spec.shape,
    query: spec.query ?? {},
    format: 'json',
    source: spec.source ?? { kind: 'walk' },
    priority: spec.priority ?? 'normal',
    topics: spec.topics ?? [],
  };
}
