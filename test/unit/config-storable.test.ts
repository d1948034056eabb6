import { describe, expect, test } from 'vitest';
import { settings } from '../../src/config/settings.ts';
import { checkJob } from '../../src/jobs/schedule/job-shape.ts';
import { faultsOf, fileFaults, good } from '../support/config-fixtures.ts';

const nul = '\0';
const place = 'Expected airank.config.yaml: ';
const noNul = 'to be a text without NUL characters, got';

// Regression: each of these came as far as Postgres, and failed a slice with "invalid byte sequence" there.
describe('a NUL in the file is a fault that names its place', () => {
  test.each<[string, object, number]>([
    ['questions[1]', { questions: ['a', `b${nul}c`] }, 2],
    ['public_ids[0]', { public_ids: [nul] }, 1],
    ['mapping.rank_now.score', { mapping: { 'rank_now.score': `a.${nul}` } }, 3],
    ['streams.products.keys[1][1]', { streams: { products: { keys: ['id', ['sku', nul]] } } }, 1],
    ['data_dir', { data_dir: nul }, 1],
  ])('%s', (name, data, position) => {
    const faults = fileFaults(JSON.stringify(data));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(`${place}${name} ${noNul} "`);
    expect(faults[0]).toContain(`\\u0000`);
    expect(faults[0]).toContain(`". Remove the NUL at position ${position}.`);
  });

  test('in every setting that may hold a text, written as a variable too', () => {
    for (const [name, { env, default: fallback }] of Object.entries(settings)) {
      const faults = faultsOf(good, { '.env': `${env}='${fallback ?? '/x'}${nul}'` });
      // A value in the environment wins over .env.
      if (Object.hasOwn(good, env)) continue;
      expect(faults.join('\n'), name).toContain(`Expected ${env} in .env to be `);
      expect(faults.join('\n'), name).not.toContain(nul);
    }
  });

  test('in the names of a job, which are asked for in Postgres', () => {
    expect(checkJob('a.js', { name: 'a', description: 'x', clients: ['7', `8${nul}`] }).faults).toEqual([
      `a.js: Expected clients.1 ${noNul} "8\\u0000"`,
    ]);
  });
});

describe('public ids', () => {
  test.each([
    ['.', `to be an id that can be the last part of a path, got ".". Remove it.`],
    ['..', `to be an id that can be the last part of a path, got "..". Remove it.`],
  ])('%j is a fault before any request', (id, fault) => {
    expect(fileFaults(JSON.stringify({ public_ids: ['a', id] }))).toEqual([`${place}public_ids[1] ${fault}`]);
  });

  test.each(['...', 'a/b', '%2e%2e', '.a'])('%j is one', (id) => {
    expect(fileFaults(JSON.stringify({ public_ids: [id] }))).toEqual([]);
  });
});

test.each([
  ...['postgres://u%00:p@h/w', 'postgres://u:p%00@h/w', 'postgres://u:p@h/w%00x'],
  'postgres://h/w?application_name=a%00',
])('a database address with a NUL is refused without being shown: %s', (address) => {
  expect(faultsOf({ ...good, DATABASE_URL: address })).toEqual([
    'Expected DATABASE_URL to be a postgres:// or postgresql:// address, got an address with a NUL (%00) in it. Remove it.',
  ]);
});
