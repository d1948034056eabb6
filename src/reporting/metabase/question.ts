// A question that Metabase asks the warehouse: one file of sql/metabase.

/** Where a filter of a dashboard enters the SQL, as {{name}}. */
export type Tag =
  /** Metabase writes a condition on this column of `bi` there. */
  | { readonly name: string; readonly kind: 'field'; readonly view: string; readonly column: string }
  /** Metabase writes a text there. */
  | { readonly name: string; readonly kind: 'text'; readonly default: string };

export interface Question {
  /** The file's name: by it the question is known again. */
  readonly key: string;
  readonly name: string;
  readonly about: string;
  /** Key of a page. */
  readonly page: string;
  /** Its turn on the page, from 1. */
  readonly place: number;
  /** Of the 24 columns of a dashboard. */
  readonly width: number;
  /** Rows of a dashboard's grid. */
  readonly height: number;
  /** Metabase's name of the kind of chart. */
  readonly display: string;
  readonly tags: readonly Tag[];
  /** Metabase's visualization settings. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly sql: string;
}
