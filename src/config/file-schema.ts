// The shape of airank.config.yaml. Messages are "expected" phrases (fault.ts).
import * as z from 'zod';
import { plural } from '../core/text.ts';
import { mailAddress } from './addresses.ts';
import { type AlertRuleSetting, alertRuleNames, alertRules, clearWord, weekdays } from './alert-rules.ts';
import { checkStorable, storableText as text } from './setting-kinds.ts';
import { settingEntries, settings } from './settings.ts';

/** Makes a schema of these names; for another name the fault lists those that are known (fault.ts). */
function mapping<Shape extends z.core.$ZodLooseShape>(shape: Shape, wanted: string) {
  const known = Object.keys(shape).join(', ');
  return z.strictObject(shape, { error: ({ code }) => (code === 'unrecognized_keys' ? known : wanted) });
}

const digestWanted = 'a day of the week such as monday, or never';

const ruleSchemas = Object.fromEntries(
  alertRuleNames.map((name) => {
    const { threshold, description } = alertRules[name] as AlertRuleSetting;
    const onOff = 'true or false';
    if (threshold === undefined) return [name, z.boolean({ error: onOff }).optional().describe(description)];
    const { min, unit } = threshold;
    const wanted = `${onOff}, or a number of ${unit} >= ${min}`;
    const schema = z.union([z.boolean(), z.number().min(min, { error: wanted })], { error: wanted });
    const normal = threshold.default === undefined ? `what is ${clearWord}` : `${threshold.default} ${unit}`;
    return [name, schema.optional().describe(`${description} Default: ${normal}.`)];
  }),
);

const alertsSchema = mapping(
  {
    to: z
      .array(text('the name of a webhook or a mail address'), {
        error: 'a list of webhooks and mail addresses',
      })
      .optional()
      .describe(
        'Receivers: names of webhooks (AIRANK_SLACK_WEBHOOK_URL, or url_env of notifications) and mail addresses. ' +
          'Alerts quote figures, pages and names of clients.',
      ),
    digest: z
      .enum([...weekdays, 'never'], { error: digestWanted })
      .optional()
      .describe('Day of the weekly summary of each account, or never. Default: monday.'),
    rules: mapping(ruleSchemas, 'a mapping of rules')
      .optional()
      .describe('false: the rule is off; a number: the smallest difference that raises an alert.'),
  },
  'a mapping of to, digest and rules',
);

/** Lowest contrast ratio at which text is readable. */
const leastContrast = 4.5;

/** `#0a5` and `#00AA55` as `#00aa55`. Undefined: the text is no such colour. */
export function parseHexColor(text: string): string | undefined {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text);
  if (short !== null)
    return `#${short
      .slice(1)
      .map((digit) => digit + digit)
      .join('')}`.toLowerCase();
  return /^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : undefined;
}

/** From 1 to 21, two digits after the point. @param color as `#00aa55` */
export function contrastOnWhite(color: string): number {
  return Math.round((1.05 / (luminance(color) + 0.05)) * 100) / 100;
}

/** Darkens a colour as little as makes it readable. */
export function readableColor(color: string): string {
  for (let share = 100; share > 0; share -= 1) {
    const darker = `#${channels(color)
      .map((channel) =>
        Math.floor((channel * share) / 100)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')}`;
    if (contrastOnWhite(darker) >= leastContrast) return darker;
  }
  return '#000000';
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const colorWanted = 'a colour such as #0a5c8f';

const color = z.string({ error: colorWanted }).transform((given, context) => {
  const hex = parseHexColor(given);
  if (hex === undefined) {
    context.addIssue({ code: 'custom', message: colorWanted });
    return z.NEVER;
  }
  const contrast = contrastOnWhite(hex);
  if (contrast >= leastContrast) return hex;
  const message = `a colour that can be read on white, with a contrast of ${leastContrast} or more`;
  const got = `${given}, with ${contrast}`;
  const fix = `${readableColor(hex)} is the nearest darker one.`;
  context.addIssue({ code: 'custom', message, params: { got, fix } });
  return z.NEVER;
});

const agencySchema = mapping(
  {
    name: text('a name').max(120, { error: 'a name of at most 120 characters' }).optional(),
    logo: text('a path').optional().describe('PNG or JPEG of at most 1 MiB.'),
    colors: mapping(
      {
        accent: color.optional().describe('Colour of headings and lines. Default: #1f4e79.'),
        text: color.optional().describe('Colour of text. Default: #1b1f24.'),
      },
      'a mapping of accent and text',
    ).optional(),
    footer: text('a text').max(500, { error: 'a text of at most 500 characters' }).optional(),
  },
  'a mapping of name, logo, colors and footer',
);

const addresses = z.array(mailAddress.schema, { error: 'a list of mail addresses' });

const reportSchema = mapping(
  {
    to: addresses.optional().describe('Receivers of the reports of clients that are not under clients.'),
    clients: z
      .record(text('the id of a client'), addresses.min(1, { error: 'at least one mail address' }), {
        error: 'a mapping of client ids to lists of mail addresses',
      })
      .optional()
      .describe(
        'Receivers of the report of a client, by its id, or by account and id (agency/c7) where two accounts share an id.',
      ),
    notes: z
      .boolean({ error: 'true or false' })
      .optional()
      .describe('true: reports show notes of airank note. Default: false.'),
  },
  'a mapping of to, clients and notes',
);

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

export const accountSchema = mapping(
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
    per_minute: settings.perMinute.kind.schema.optional().describe(settings.perMinute.description),
    per_day: settings.perDay.kind.schema.optional().describe(settings.perDay.description),
    reserve_percent: settings.reservePercent.kind.schema
      .optional()
      .describe(settings.reservePercent.description),
  },
  'a mapping with name and api_key_env or api_key_file',
);

const route = z
  .string({ error: 'a route such as agent/runs' })
  .regex(/^[A-Za-z0-9_~-][A-Za-z0-9._~-]*(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$/, {
    error: 'a route such as agent/runs, without a leading slash, a query or /api/v1',
  });

const walked = ['limite', 'cursor', 'cliente'];

const queryName = text('the name of a query parameter').superRefine((name, context) => {
  if (walked.includes(name.toLowerCase())) {
    context.addIssue({ code: 'custom', message: 'absent, because this parameter is set by the sync' });
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

export const streamSchema = mapping(
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
    vanish_above: mapping(
      {
        records: wholeNumber.optional().describe('Default: 20.'),
        percent: wholeNumber
          .max(100, { error: 'a whole number from 0 to 100' })
          .optional()
          .describe('Default: 20.'),
      },
      'a mapping of records and percent',
    )
      .optional()
      .describe(
        'A full refresh that lacks more published records than both of these has to be confirmed by a second one.',
      ),
    per_client: z
      .boolean({ error: 'true or false' })
      .optional()
      .describe('Fetched for the account and for each of its clients.'),
    keys: z
      .array(candidateKey, { error: 'a list of paths of fields' })
      .optional()
      .describe(
        'Fields that may identify a record, the preferred one first; several paths in a list form one key.',
      ),
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
      .describe('Format of the answers.'),
    enabled: z.boolean({ error: 'true or false' }).optional().describe('false: the stream is not fetched.'),
  },
  'a mapping of the properties of a stream',
);

/** Tables that are no streams: what came around the lists, and the parent of all. */
const reservedNames: readonly string[] = ['envelope', 'record'];

export const streamName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,47}$/, {
    error: 'a name of 1 to 48 characters of a-z, 0-9 and _, beginning with a letter',
  })
  .refine((name) => !reservedNames.includes(name), {
    error: 'another name, because this one is reserved',
  });

const quoted = 'a text that is not empty (put numbers in quotes)';
const texts = (error: string) => z.array(text(quoted), { error });

// URL parsers resolve dot segments even when they are percent-encoded: another route would be asked.
const publicId = text(quoted).superRefine((id, context) => {
  if (id !== '.' && id !== '..') return;
  const message = 'an id that can be the last part of a path';
  context.addIssue({ code: 'custom', message, params: { fix: 'Remove it.' } });
});

export const notificationSchema = mapping(
  {
    url_env: variableName('address').describe(
      'Variable that holds the address of the webhook, which is a secret.',
    ),
    format: z
      .enum(['json', 'slack'], { error: 'one of json, slack' })
      .optional()
      .describe('Form of the message. Default: json.'),
  },
  'a mapping with url_env',
);

/** The parts of the file that are not in the table of settings. */
export const sectionSchemas = {
  accounts: z
    .array(accountSchema, { error: 'a list of accounts' })
    .describe('Accounts, one for each API key. Without it the environment describes one account, default.'),
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
      'Paths of fields of the curated views in the data, such as rank_now.score: resultado.total | comma; null: the data does not have it. ' +
        'docs/views.md explains paths, and airank map proposes paths.',
    ),
  notifications: z
    .array(notificationSchema, { error: 'a list of webhooks' })
    .describe('Webhooks that are told of incidents and of their end, in addition to AIRANK_WEBHOOK_URL.'),
  agency: agencySchema.describe('Name, logo, colours and footer of the reports.'),
  report: reportSchema.describe('Receivers of reports by mail.'),
  alerts: alertsSchema.describe('Alerts on the figures of clients (docs/alerts.md): rules and receivers.'),
} as const;

export type StreamEntry = z.infer<typeof streamSchema>;

export const accountKeys: readonly string[] = Object.keys(accountSchema.shape);
export const streamKeys: readonly string[] = Object.keys(streamSchema.shape);
export const fileKeys: readonly string[] = [
  '$schema',
  ...Object.keys(sectionSchemas),
  ...settingEntries.flatMap(([, setting]) => setting.fileKey ?? []),
];
