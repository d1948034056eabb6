// The schemas of a warehouse, and what each is for: the one list of them.

/** What has rows: bookkeeping; records; the tables behind the views. It is backed up, renamed and forgotten. */
export const tableSchemas = ['sync', 'snapshot', 'typed'] as const;

/** What a role that reads the curated views reads: what is so now and what happened, and what was said on each run date. */
export const biSchemas = ['bi', 'bi_history'] as const;

/** Views with a catalogue, those of the warehouse itself too. */
export const curatedSchemas = [...biSchemas, 'ops'] as const;

/** Views that people read and export, the generated ones too. */
export const viewSchemas = [...curatedSchemas, 'api'] as const;

/** All, in the order in which they are made; `bi_map` is what the curated views are made from. */
export const warehouseSchemas = [...tableSchemas, 'bi_map', 'api', ...curatedSchemas] as const;

/** Also the queue of the library, which makes its schema by itself. */
export const ownSchemas = [...warehouseSchemas, 'airank_jobs'] as const;
