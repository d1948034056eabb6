// What is read of Metabase's answers; whatever else they hold is left alone.
import { z } from 'zod';

const id = z.int().positive();
const text = z.string().nullish();

export const properties = z.object({ version: z.object({ tag: z.string().nullish() }) });
export const user = z.object({ is_superuser: z.boolean().nullish() });

export const database = z.object({
  id,
  name: z.string(),
  description: text,
  engine: z.string(),
  /** Absent for keys that may not see it. */
  details: z.record(z.string(), z.unknown()).nullish(),
});
export const databases = z.object({ data: z.array(database) });

export const field = z.object({
  id,
  name: z.string(),
  semantic_type: text,
  fk_target_field_id: id.nullish(),
});
export const metadata = z.object({
  tables: z.array(z.object({ name: z.string(), schema: text, fields: z.array(field).nullish() })),
});

/** The root collection has a word for its id. */
export const collection = z.object({
  id: z.union([id, z.string()]),
  name: z.string(),
  description: text,
});
export const collections = z.array(collection);
export const madeCollection = collection.extend({ id });

export const members = z.object({
  data: z.array(z.object({ id, model: z.string(), name: z.string(), description: text })),
});

export const card = z.object({
  id,
  name: z.string(),
  description: text,
  display: z.string(),
  visualization_settings: z.record(z.string(), z.unknown()).nullish(),
  dataset_query: z.unknown().optional(),
});

const mapping = z.looseObject({
  parameter_id: z.string(),
  card_id: id.nullish(),
  target: z.unknown().optional(),
});

export const dashcard = z.looseObject({
  id: z.int(),
  card_id: id.nullish(),
  dashboard_tab_id: id.nullish(),
  row: z.int(),
  col: z.int(),
  size_x: z.int(),
  size_y: z.int(),
  parameter_mappings: z.array(mapping).nullish(),
  visualization_settings: z.record(z.string(), z.unknown()).nullish(),
  series: z.array(z.unknown()).nullish(),
});

export const parameter = z.looseObject({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  default: z.unknown().optional(),
});

export const dashboard = z.object({
  id,
  name: z.string(),
  description: text,
  parameters: z.array(parameter).nullish(),
  tabs: z.array(z.object({ id, name: z.string() })).nullish(),
  dashcards: z.array(dashcard),
});
export const madeDashboard = z.object({ id });

export const nothing = z.unknown();

export type Card = z.infer<typeof card>;
export type Dashcard = z.infer<typeof dashcard>;
export type ShownDashboard = z.infer<typeof dashboard>;
