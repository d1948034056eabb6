// Describes the calls of Metabase's API that are used, in words of our own: nothing else may be sent.
import { z } from 'zod';

const id = z.int().min(1);
const word = z.string().min(1);

const templateTag = z.discriminatedUnion('type', [
  z.strictObject({
    id: word,
    name: word,
    'display-name': word,
    type: z.literal('dimension'),
    dimension: z.tuple([z.literal('field'), id, z.null()]),
    'widget-type': z.enum(['string/=', 'date/all-options']),
    required: z.literal(false),
  }),
  z.strictObject({
    id: word,
    name: word,
    'display-name': word,
    type: z.literal('text'),
    required: z.literal(true),
    default: word,
  }),
]);

const target = z.tuple([z.enum(['dimension', 'variable']), z.tuple([z.literal('template-tag'), word])]);

const query = z.strictObject({
  database: id,
  type: z.literal('native'),
  native: z.strictObject({ query: word, 'template-tags': z.record(z.string(), templateTag) }),
});

const cardBody = z.strictObject({
  name: word.max(254),
  description: word,
  type: z.literal('question'),
  display: z.enum(['table', 'line', 'bar', 'row', 'scatter', 'scalar']),
  visualization_settings: z.record(z.string(), z.unknown()),
  dataset_query: query,
  parameters: z.array(
    z.strictObject({
      id: word,
      type: z.enum(['string/=', 'date/all-options', 'category']),
      target,
      name: word,
      slug: word,
      default: z.string().optional(),
    }),
  ),
  collection_id: id,
});

const parameter = z.strictObject({
  id: word,
  name: word,
  slug: word,
  type: z.enum(['string/=', 'date/all-options']),
  sectionId: z.enum(['string', 'date']),
  default: z.union([z.string(), z.array(z.string())]).optional(),
  isMultiSelect: z.boolean().optional(),
});

const dashcard = z.strictObject({
  id: z.int(),
  card_id: id.nullable(),
  dashboard_tab_id: z.int().nullable(),
  row: z.int().min(0),
  col: z.int().min(0),
  size_x: z.int().min(1),
  size_y: z.int().min(1),
  parameter_mappings: z.array(z.strictObject({ parameter_id: word, target, card_id: id })),
  visualization_settings: z.record(z.string(), z.unknown()),
  series: z.array(z.record(z.string(), z.unknown())),
});

const unique = (list: readonly { readonly id: number }[]) =>
  new Set(list.map((one) => one.id)).size === list.length;

const details = z.object({
  host: word,
  port: id,
  dbname: word,
  user: word,
  password: z.string(),
  ssl: z.boolean().optional(),
  'ssl-mode': z.enum(['require', 'verify-ca', 'verify-full']).optional(),
  'schema-filters-type': z.literal('inclusion'),
  'schema-filters-patterns': z.string().regex(/\bbi,bi_history$/),
});

/** Bodies by call. */
export const metabaseRequests = {
  'POST database': z.strictObject({
    name: word,
    engine: z.literal('postgres'),
    details,
    is_full_sync: z.boolean(),
    is_on_demand: z.boolean(),
  }),
  'PUT database': z.strictObject({
    name: word,
    engine: z.literal('postgres'),
    description: word,
    details: details.optional(),
  }),
  'POST sync_schema': z.strictObject({}),
  'PUT field': z.strictObject({
    semantic_type: z
      .string()
      .regex(/^type\/[A-Z]\w+$/)
      .nullable(),
    fk_target_field_id: id.optional(),
  }),
  'POST collection': z.strictObject({ name: word, description: word }),
  'POST card': cardBody,
  'PUT card': cardBody.extend({ archived: z.literal(false) }).strict(),
  'POST dashboard': z.strictObject({ name: word, description: z.string(), collection_id: id }),
  'PUT dashboard': z.strictObject({
    name: word,
    description: z.string(),
    archived: z.literal(false),
    parameters: z.array(parameter),
    tabs: z.array(z.strictObject({ id: z.int(), name: word })).refine(unique),
    dashcards: z.array(dashcard).refine(unique),
  }),
} as const;
