// The schemas of a warehouse, in the order in which they are made.

/** Bookkeeping; records; the tables behind the views; what views are made from; generated views; curated views. */
export const warehouseSchemas = [
  'sync',
  'snapshot',
  'typed',
  'bi_map',
  'api',
  'bi',
  'bi_history',
  'ops',
] as const;

/** What a role that reads the curated views reads: what is so now and what happened, and what was said on each run date. */
export const biSchemas = ['bi', 'bi_history'] as const;

/** Also the queue of the library, which makes its schema by itself. */
export const ownSchemas = [...warehouseSchemas, 'airank_jobs'] as const;
