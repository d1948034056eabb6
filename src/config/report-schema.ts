// The shape of `agency` and `report` in airank.config.yaml. Messages are "expected" phrases (fault.ts).
import { z } from 'zod';
import { contrastOnWhite, leastContrast, parseHexColor, readableColor } from './color-contrast.ts';
import { mailAddress } from './setting-kinds.ts';
import { storableText as text } from './storable-text.ts';

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

export const agencySchema = z.strictObject(
  {
    name: text('a name').max(120, { error: 'a name of at most 120 characters' }).optional(),
    logo: text('a path').optional().describe('PNG or JPEG of at most 1 MiB.'),
    colors: z
      .strictObject(
        {
          accent: color.optional().describe('Of headings and lines. Default: #1f4e79.'),
          text: color.optional().describe('Default: #1b1f24.'),
        },
        { error: 'a mapping of accent and text' },
      )
      .optional(),
    footer: text('a text').max(500, { error: 'a text of at most 500 characters' }).optional(),
  },
  { error: 'a mapping of name, logo, colors and footer' },
);

const addresses = z.array(mailAddress.schema, { error: 'a list of mail addresses' });

export const reportSchema = z.strictObject(
  {
    to: addresses.optional().describe('Who gets the reports of clients that have no addresses of their own.'),
    clients: z
      .record(text('the id of a client'), addresses.min(1, { error: 'at least one mail address' }), {
        error: 'a mapping of ids of clients to lists of mail addresses',
      })
      .optional()
      .describe(
        'Who gets the report of a client, by its id, or by account and id (agency/c7) where two accounts share an id.',
      ),
    notes: z
      .boolean({ error: 'true or false' })
      .optional()
      .describe('true: reports show notes of airank note. Default: false.'),
  },
  { error: 'a mapping of to, clients and notes' },
);

export const agencyKeys: readonly string[] = Object.keys(agencySchema.shape);
export const agencyColorKeys: readonly string[] = ['accent', 'text'];
export const reportKeys: readonly string[] = Object.keys(reportSchema.shape);
