// The configuration file and the environment: a frozen configuration, or a ConfigError that names places.
import fc from 'fast-check';
import { settings } from '../../../src/config/settings.ts';
import { ConfigError } from '../../../src/core/errors.ts';
import { resolveStreams } from '../../../src/streams/catalog.ts';
import { good, load } from '../../support/config-fixtures.ts';
import { fuzzOf } from './fuzz.ts';

const fileKeys = [
  ...Object.values(settings).flatMap((setting) => ('fileKey' in setting ? [String(setting.fileKey)] : [])),
  'accounts',
  'streams',
  'questions',
  'public_ids',
  'mapping',
  'notifications',
  '__proto__',
  'constructor',
];
const inner = [
  ...[
    'name',
    'base_url',
    'api_key_env',
    'api_key_file',
    'route',
    'list',
    'keys',
    'per_client',
    'format',
    'enabled',
  ],
  ...['products', 'airank', 'clientes', 'toString', 'shape', 'query', 'description', 'fields', ''],
];
const scalar = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '',
    'none',
    'auto',
    '12:30',
    'Europe/Madrid',
    'https://a.example',
    'http://a',
    '..',
    '\u0000',
    '../x',
  ),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...inner), fc.string({ maxLength: 5 })), tie('any'), {
      maxKeys: 4,
    }),
  ),
})).any;
const yamlPiece = fc.constantFrom(
  ...[
    'accounts:',
    '\n',
    '  - ',
    'name: ',
    '&a ',
    '*a',
    '<<: ',
    '!!binary ',
    '"',
    "'",
    '|',
    '>',
    '{',
    '}',
    '[',
    ']',
  ],
  ...[
    '# ',
    ': ',
    '---',
    '\t',
    'streams:',
    'products',
    '? ',
    '%YAML 1.2',
    '\ufeff',
    'a',
    '1',
    '~',
    '0x1',
    '1e999',
  ],
);
const text = fc.oneof(
  fc.dictionary(fc.constantFrom(...fileKeys), value, { maxKeys: 5 }).map((data) => JSON.stringify(data)),
  fc.array(yamlPiece, { maxLength: 20 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 60 }),
);
const variables = Object.values(settings).map((setting) => setting.env);
const environment = fc.dictionary(
  fc.constantFrom(...variables.filter((name) => name !== 'AIRANK_CONFIG'), 'AIRANK_TYPO'),
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom('0', '1', '-1', '1e9', 'https://a.example', 'UTC'),
  ),
  { maxKeys: 3 },
);

export const fuzzConfiguration = fuzzOf('configuration', fc.record({ text, environment }), (input) => {
  try {
    const config = load({ ...good, ...input.environment }, { 'airank.config.yaml': input.text });
    if (!Object.isFrozen(config)) throw new Error('the configuration is not frozen');
    resolveStreams(config);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    if (error.faults.length === 0) throw new Error('a ConfigError without a fault');
  }
});
