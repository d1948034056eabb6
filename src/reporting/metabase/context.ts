// What every step gets: the connection, what it may do, and where it says what it did.
import type { MetabaseHttp } from './metabase-http.ts';

export interface Change {
  readonly kind: 'database' | 'schema' | 'fields' | 'collection' | 'question' | 'dashboard';
  readonly name: string;
  /** `left`: people changed it, and it stays as they want it. */
  readonly what: 'create' | 'change' | 'same' | 'left';
  readonly why?: string;
}

export interface StepContext {
  readonly http: MetabaseHttp;
  /** False: only look. */
  readonly apply: boolean;
  /** Takes back what people changed of what airank made. */
  readonly overwrite: boolean;
  /** Called when a change begins, or would. */
  readonly note: (change: Change) => void;
}
