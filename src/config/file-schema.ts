// The shape of airank.config.yaml. Messages are "expected" phrases (fault.ts).

import { z } from 'zod';
import { plural } from '../core/text.ts';
import { alertsSchema } from './alerts-schema.ts';
import { agencySchema, reportSchema } from './report-schema.ts';
import { settingEntries, settings } from './settings.ts';
import { checkStorable, storableText as text } from './storable-text.ts';

/** Variables that hold secrets. Upper case only, so that a key pasted in the name's place is refused, unseen. */
const variableName = (holds: string) =>
  z.string({ error: 'the name of a variable' }).superRefine((text, context) => {
    if (/^[A-Z][A-Z0-9_]{0,127}$/.test(text)) return;
    context.addIssue({
      code: 'custom',
      message: 'the name of a variable (A-Z, 0-9 and _)',
      params: {
        got: `a text of ${plural(text.length, 'character')}`,
        fix: `Give the name of the variable that holds the ${holds}, not the ${holds}.`,
      },
    });
  });

export const accountSchema = z.strictObject(
  {
    name: z
      .string({ error: 'a name for the account' })
      .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, {
        error: '1 to 63 characters of a-z, 0-9, _ and -, beginning with a letter or digit',
      })
      .describe('Name of the account in the warehouse.'),
    base_url: settings.baseUrl.kind.schema.optional().describe(settings.baseUrl.description),
    api_key_env: variableName('key').optional().describe('Variable that holds the API key.'),
    api_key_file: text('a path').optional().describe('File that holds the API key on its only line.'),
    auth_header: settings.authHeader.kind.schema.optional().describe(settings.authHeader.description),
    per_minute: settings.perMinute.kind.schema.optional().describe(settings.perMinute.description),
    per_day: settings.perDay.kind.schema.optional().describe(settings.perDay.description),
    reserve_percent: settings.reservePercent.kind.schema
      .optional()
      .describe(settings.reservePercent.description),
  },
  { error: 'a mapping with name and api_key_env or api_key_file' },
);

const route = z
  .string({ error: 'a route such as agent/runs' })
  .regex(/^[A-Za-z0-9_~-][A-Za-z0-9._~-]*(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$/, {
    error: 'a route such as agent/runs, without a leading slash, a query or /api/v1',
  });

const walked = ['limite', 'cursor', 'cliente'];

const queryName = text('the name of a query parameter').superRefine((name, context) => {
  if (walked.includes(name.toLowerCase())) {
    context.addIssue({ code: 'custom', message: 'absent, because the walk sets this parameter' });
  }
  if (name.toLowerCase() === 'key') {
    context.addIssue({ code: 'custom', message: 'absent, because a key must not travel in a query' });
  }
});

const queryValue = z
  .union([z.string().superRefine(checkStorable), z.number(), z.boolean()], {
    error: 'a text, a number, true or false',
  })
  .transform(String);

const fieldPath = text('the path of a field, such as id or a.b');
const candidateKey = z.union([fieldPath, z.array(fieldPath).min(1, { error: 'at least one path' })], {
  error: 'the path of a field, such as id, or a list of paths',
});

const wholeNumber = z
  .number({ error: 'a whole number, 0 or more' })
  .int({ error: 'a whole number, 0 or more' })
  .min(0, { error: 'a whole number, 0 or more' });

export const streamSchema = z.strictObject(
  {
    route: route
      .optional()
      .describe('Path below /api/v1/; required for a stream that is not in the catalog.'),
    description: text('a text').optional().describe('What the stream yields.'),
    list: z
      .union([text('a key'), z.null(), z.tuple([])], {
        error: 'the key of the list in the body, null, or []',
      })
      .optional()
      .describe('Key of the list in the body; null: the whole body is one record; []: the body is the list.'),
    vanish_above: z
      .strictObject(
        {
          records: wholeNumber.optional().describe('Default: 20.'),
          percent: wholeNumber
            .max(100, { error: 'a whole number from 0 to 100' })
            .optional()
            .describe('Default: 20.'),
        },
        { error: 'a mapping of records and percent' },
      )
      .optional()
      .describe(
        'A full walk that lacks more of the published records than both needs a second walk that agrees.',
      ),
    per_client: z
      .boolean({ error: 'true or false' })
      .optional()
      .describe('Walked for the account and for each of its clients.'),
    keys: z
      .array(candidateKey, { error: 'a list of candidate keys' })
      .optional()
      .describe('Candidate keys, the preferred first; several paths in a list make one key together.'),
    shape: z
      .enum(['archive', 'state'], { error: 'one of archive, state' })
      .optional()
      .describe('An archive only grows; a state is replaced.'),
    query: z
      .record(queryName, queryValue, { error: 'a mapping of query parameters' })
      .optional()
      .describe('Query parameters of every request, beside limite, cursor and cliente.'),
    format: z
      .enum(['json', 'csv'], { error: 'one of json, csv' })
      .optional()
      .describe('What the route answers with.'),
    enabled: z.boolean({ error: 'true or false' }).optional().describe('false: the stream is not walked.'),
  },
  { error: 'a mapping of the properties of a stream' },
);

/** Tables beside those of the streams: what came around the lists, and the parent of all. */
const reservedNames: readonly string[] = ['envelope', 'record'];

export const streamName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,47}$/, {
    error: 'named with 1 to 48 characters of a-z, 0-9 and _, beginning with a letter',
  })
  .refine((name) => !reservedNames.includes(name), {
    error: 'named otherwise, because this name is reserved',
  });

const quoted = 'a text that is not empty (put numbers in quotes)';
const texts = (error: string) => z.array(text(quoted), { error });

// URL parsers resolve dot segments even when they are percent-encoded: another route would be asked.
const publicId = text(quoted).superRefine((id, context) => {
  if (id !== '.' && id !== '..') return;
  const message = 'an id that can be the last part of a path';
  context.addIssue({ code: 'custom', message, params: { fix: 'Remove it.' } });
});

export const notificationSchema = z.strictObject(
  {
    url_env: variableName('address').describe(
      'Variable that holds the address of the webhook, which is a secret.',
    ),
    format: z
      .enum(['json', 'slack'], { error: 'one of json, slack' })
      .optional()
      .describe('Form of the message. Default: json.'),
  },
  { error: 'a mapping with url_env' },
);

/** The parts of the file that are not settings of the table. */
export const sectionSchemas = {
  accounts: z
    .array(accountSchema, { error: 'a list of accounts' })
    .describe('What each API key belongs to. Without it the environment describes one account, default.'),
  streams: z
    .record(streamName, streamSchema, { error: 'a mapping of stream names' })
    .describe('Overrides catalogued streams, or adds new ones.'),
  questions: texts('a list of questions').describe('Questions for the ask stream.'),
  public_ids: z.array(publicId, { error: 'a list of ids' }).describe('Ids for the airank_public stream.'),
  mapping: z
    .record(
      z.string().regex(/^[a-z0-9_]+\.[a-z0-9_()]+$/, {
        error: 'a field of the curated views such as rank_now.score',
      }),
      z.union([text('the path of a field'), z.null()], {
        error: 'the path of a field such as a.b or a[0].b | dmy, or null',
      }),
      { error: 'a mapping of fields of the curated views to paths in the data' },
    )
    .describe(
      'Where fields of the curated views are in the data, as rank_now.score: resultado.total | comma; null: nowhere. ' +
        'docs/views.md explains paths, and airank map writes such lines and proposes paths.',
    ),
  notifications: z
    .array(notificationSchema, { error: 'a list of webhooks' })
    .describe('Webhooks that hear of trouble and of its end, beside AIRANK_WEBHOOK_URL.'),
  agency: agencySchema.describe('Whose name, logo, colours and footer the reports bear.'),
  report: reportSchema.describe('Who gets the reports of clients by mail.'),
  alerts: alertsSchema.describe('Alerts on the figures of clients (docs/alerts.md): rules, and who is told.'),
} as const;

export type StreamEntry = z.infer<typeof streamSchema>;

export const accountKeys: readonly string[] = Object.keys(accountSchema.shape);
export const notificationKeys: readonly string[] = Object.keys(notificationSchema.shape);
export const streamKeys: readonly string[] = Object.keys(streamSchema.shape);
export const fileKeys: readonly string[] = [
  '$schema',
  ...Object.keys(sectionSchemas),
  ...settingEntries.flatMap(([, setting]) => setting.fileKey ?? []),
];
