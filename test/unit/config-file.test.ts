import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accountKeys, fileKeys, streamKeys } from '../../src/config/file-schema.ts';
import { cases } from '../support/cases.ts';
import { faultsOf, fileFaults, good, load } from '../support/config-fixtures.ts';

const full = `
# yaml-language-server: $schema=./airank.config.schema.json
timezone: Europe/Madrid
per_minute: 30
data_dir: warehouse
accounts:
  - name: acme
    base_url: https://acme.example.com/api/v1
    api_key_env: ACME_KEY
    per_day: 100
    reserve_percent: 0
  - name: beta-2
    api_key_file: keys/beta
streams:
  products: { enabled: false }
  agent_notes:
    route: agent/notes
    description: Notes of the agent.
    list: null
    per_client: true
    keys: [id, [sku, country]]
    shape: archive
    query: { texto: 1, all: true }
    format: json
questions: ["¿Qué marca gana?", "¿Qué marca gana?"]
public_ids: ["0123"]
`;
const keys = { ACME_KEY: 'acme-key-1', AIRANK_BASE_URL: 'https://shared.example.com' };
const files = { '/etc/airank/c.yaml': full, '/etc/airank/keys/beta': 'beta-key-2\n' };

describe('configuration file', () => {
  test('describes accounts, streams, questions and settings', () => {
    const config = load({ ...keys, AIRANK_CONFIG: '/etc/airank/c.yaml', AIRANK_PER_MINUTE: '45' }, files);
    expect(config).toMatchObject({
      timeZone: 'Europe/Madrid',
      dataDir: '/etc/airank/warehouse',
      questions: ['¿Qué marca gana?'],
      publicIds: ['0123'],
      accounts: [
        { name: 'acme', perMinute: 45, perDay: 100, reservePercent: 0 },
        { name: 'beta-2', perMinute: 45, perDay: 5000, reservePercent: 5 },
      ],
    });
    expect(config.accounts.map((account) => [account.baseUrl.href, account.apiKey.reveal()])).toEqual([
      ['https://acme.example.com/', 'acme-key-1'],
      ['https://shared.example.com/', 'beta-key-2'],
    ]);
    expect({ ...config.streams }).toEqual({
      products: { enabled: false },
      agent_notes: {
        route: 'agent/notes',
        description: 'Notes of the agent.',
        list: null,
        perClient: true,
        keys: ['id', ['sku', 'country']],
        shape: 'archive',
        query: { texto: '1', all: 'true' },
        format: 'json',
      },
    });
    expect(config.streams['constructor']).toBeUndefined();
  });

  test('may be JSON, may be empty, may be absent', () => {
    const read = (text: string) => load(good, { 'airank.config.yaml': text });
    expect(read('{"$schema": "./airank.config.schema.json", "per_day": 9}').accounts[0]?.perDay).toBe(9);
    expect(read('').timeZone).toBe('UTC');
    expect(read('# nothing yet\naccounts: []\n').accounts[0]?.name).toBe('default');
    expect(load(good).timeZone).toBe('UTC');
  });

  test('is a fault when it is named but not there', () => {
    expect(faultsOf({ ...good, AIRANK_CONFIG: 'other.yaml' })).toEqual([
      'Expected AIRANK_CONFIG to be a file that can be read, got "other.yaml", which does not exist',
    ]);
  });

  test.each([
    ['timezone: "UTC\n', /^Expected airank\.config\.yaml:\d+:\d+ to be YAML or JSON, got a syntax error/],
    ['per_day: 1\nper_day: 2\n', /^Expected airank\.config\.yaml:2:1 to be YAML or JSON.*DUPLICATE_KEY/],
    ['- a\n', /^Expected airank\.config\.yaml to be a mapping of settings, got a list$/],
    ['timezone: *nowhere\n', /^Expected airank\.config\.yaml/],
  ])('says where %j is no usable YAML', (text, message) => {
    const faults = fileFaults(text);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(message);
  });

  test('quotes nothing of a file that does not parse', () => {
    const faults = fileFaults(
      'accounts:\n  - name: a\n "sk-live-424242": sk-live-434343\n: : "sk-live-454545',
    );
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.join()).not.toContain('sk-live');
  });

  test.each(
    cases(`
  per_minute: 0 => Expected airank.config.yaml: per_minute to be an integer >= 1, got 0
  timezone: 3 => Expected airank.config.yaml: timezone to be an IANA time zone such as Europe/Madrid, got 3
  database_url: postgres://u:hunter2@h/w => airank.config.yaml: database_url is not a known name. It holds a password: set DATABASE_URL in the environment or in .env.
  accounts: {a: 1} => Expected airank.config.yaml: accounts to be a list of accounts, got a mapping
  streams: {Caps: {}} => Expected airank.config.yaml: streams.Caps to be a name of 1 to 48 characters of a-z, 0-9 and _, beginning with a letter, got "Caps"
  streams: {envelope: {}} => Expected airank.config.yaml: streams.envelope to be another name, because this one is reserved, got "envelope"
  streams: {a: {rout: x}} => airank.config.yaml: streams.a.rout is not a known name. Did you mean route?
  streams: {a: {vanish_above: {record: 3, rate: 1}}} => airank.config.yaml: streams.a.vanish_above.record is not a known name. Did you mean records? => airank.config.yaml: streams.a.vanish_above.rate is not a known name. Known here: records, percent.
  streams: {a: {route: /x}} => Expected airank.config.yaml: streams.a.route to be a route such as agent/runs, without a leading slash, a query or /api/v1, got "/x"
  streams: {a: {keys: [id, [b, 1]]}} => Expected airank.config.yaml: streams.a.keys[1] to be the path of a field, such as id, or a list of paths, got a list
  streams: {a: {query: {key: x}}} => Expected airank.config.yaml: streams.a.query.key to be absent, because a key must not travel in a query, got "key"
  streams: {a: {query: {cursor: x}}} => Expected airank.config.yaml: streams.a.query.cursor to be absent, because this parameter is set by the sync, got "cursor"
  public_ids: [12] => Expected airank.config.yaml: public_ids[0] to be a text that is not empty (put numbers in quotes), got 12
`),
  )('refuses %s', (text, ...messages) => {
    expect(fileFaults(text)).toEqual(messages);
  });

  test.each(['../x', 'a/../b', './a', 'a//b', 'a/', 'a?b', 'a b', 'a#b', 'https://x'])(
    'refuses the route %s',
    (route) => {
      expect(fileFaults(`streams: {a: {route: ${JSON.stringify(route)}}}`)).toHaveLength(1);
    },
  );

  test('whatever it holds, loads or is refused in sentences of the same form', () => {
    const key = fc.oneof(fc.constantFrom(...fileKeys, ...accountKeys, ...streamKeys), fc.string());
    const scalar = fc.oneof(
      fc.constantFrom(null, true, 0, 1.5, -1, '', 'a', 'https://x.example'),
      fc.string(),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 4 }, scalar, fc.array(tie('tree'), { maxLength: 3 }), tie('mapping')),
      mapping: fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
    }));
    const faultForm = /^Expected .+ to be .+, got .+$|^.+ is not a (?:known name|setting)\. .+$/s;
    fc.assert(
      fc.property(fc.dictionary(key, tree, { maxKeys: 4 }), (data) => {
        for (const fault of fileFaults(JSON.stringify(data))) {
          expect(fault).toMatch(faultForm);
          expect(fault).not.toMatch(/Invalid|Too (small|big)|expected (string|number)|undefined/);
        }
      }),
      { numRuns: 500 },
    );
  });
});
